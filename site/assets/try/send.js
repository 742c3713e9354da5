// A score sheet to be sent or kept elsewhere: as text, as a table for a spreadsheet, and as a picture.
import { set } from "./elements.js";

// When it was played and by whom; what is not known gets a line to write it on, or is left out where nobody can write.
export function headParts({ words, own, sheet }) {
  const date = sheet.begun && new Date(sheet.begun + "T12:00").toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  const players = own().sides.map((name, side) => [name, [sheet.sides[side], own().side_of.flatMap((of, seat) => (of === side && sheet.names[seat] ? [sheet.names[seat]] : [])).join(", ")].filter(Boolean).join(": ")]);
  return [[words.date, date], ...players];
}

export function sheetText(answer, title, { sides, rowText, standing, ...told }) {
  const rows = answer.rows.map((row, index) => {
    const { note, cells } = rowText(row, index);
    return (index + 1) + "." + (cells ? " " + sides.map((name, side) => name + " " + row.totals[side] + " (" + cells[side] + ")").join(", ") : "") + (note ? " · " + note : "");
  });
  const head = headParts(told).filter(([, text]) => text).map(([name, text]) => name + ": " + text).join(" · ");
  return set([title, ...(head ? [head] : []), ...rows, standing].join("\n"));
}

// For a spreadsheet of this language; what could be read there as a formula is a text.
export function spreadsheet(rows) {
  const between = (1.5).toLocaleString(document.documentElement.lang).includes(",") ? ";" : ",";
  const cell = (value) => '"' + String(value).replace(/^(?=[=+@\t]|-(?!\d))/, "'").replaceAll('"', '""') + '"';
  return "\ufeff" + rows.map((row) => row.map(cell).join(between)).join("\r\n") + "\r\n";
}

// Each cell is one number, so that a column can be added up; what beside points befell a side stands in the note.
export function sheetTable(answer, { words, sides, seats, sheet, rowText }) {
  const columns = answer.apart ? [words["column-points"], words["step-declarations"]] : answer.rows.some(({ freed }) => freed?.some(Boolean)) ? [words["column-points"], words["column-held"]] : [""];
  const figures = (row, side) => (answer.apart ? [row.apart[side].points, row.apart[side].roem] : [row.written[side], row.freed[side]]).slice(0, columns.length);
  const signs = ({ apart = [] }) => apart.flatMap(({ sign }, side) => (sign ? [sides[side] + ": " + words["sign-" + sign + "-means"]] : []));
  // Where nothing is bid and no trump is said there is nothing to write of a bid.
  const texts = answer.rows.map(rowText);
  const bids = texts.some(({ bid }) => bid);
  const head = [words.deal, words["dealt-by"], ...(bids ? [words["column-bid"]] : []), words.taker, words["column-note"], ...sides.flatMap((name) => [...columns.map((column) => [name, column].filter(Boolean).join(", ")), words["column-total"] + " " + name])];
  const rows = answer.rows.map((row, index) => {
    const { bid, taker, said, cells } = texts[index];
    return [index + 1, cells && sheet.dealer !== null ? seats[row.dealer] : "", ...(bids ? [bid] : []), taker, [said, ...signs(row)].join("; "), ...sides.flatMap((_, side) => (cells ? [...figures(row, side), row.totals[side]] : [...columns, ""].fill("")))];
  });
  return spreadsheet([head, ...rows]);
}

const WIDE = 1080, LINE = 64, EDGE = 48, BOARD = 250;

export function sheetPicture(answer, title, { sides, rowText, standing, ...told }) {
  const { words } = told;
  const rows = answer.rows.map((row, index) => ({ ...rowText(row, index), row }));
  const head = headParts(told).filter(([, text]) => text).map(([name, text]) => name + ": " + text).join(" · ");
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDE, height: EDGE * 2 + 110 + BOARD + LINE * (rows.length + 2) });
  const pen = canvas.getContext("2d");
  const write = (text, x, y, { size = 30, weight = 400, colour = "#1b211e", align = "left", most = WIDE - 2 * EDGE } = {}) => {
    pen.font = weight + " " + size + "px system-ui, sans-serif";
    pen.fillStyle = colour;
    pen.textAlign = align;
    pen.fillText(set(text), x, y, most);
  };
  pen.fillStyle = "#fdfcf8";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(title, EDGE, EDGE + 44, { size: 46, weight: 700, colour: "#0e4a38" });
  write(head, EDGE, EDGE + 90, { size: 26, colour: "#4d5651" });
  const each = (WIDE - 2 * EDGE) / sides.length;
  sides.forEach((name, side) => {
    const left = EDGE + each * side;
    pen.fillStyle = "#e4efe8";
    pen.fillRect(left + 6, EDGE + 120, each - 12, BOARD - 60);
    write(name, left + each / 2, EDGE + 170, { size: 32, weight: 600, align: "center", most: each - 40 });
    write(answer.totals[side], left + each / 2, EDGE + 275, { size: 96, weight: 700, align: "center", most: each - 40 });
  });
  let top = EDGE + 110 + BOARD;
  const first = EDGE + 460, column = (WIDE - EDGE - first) / sides.length;
  sides.forEach((name, side) => write(name, first + column * (side + 1), top, { size: 26, colour: "#4d5651", align: "right", most: column - 20 }));
  rows.forEach(({ bid, taker, note, cells, row }, index) => {
    top += LINE;
    pen.fillStyle = "#d9dcd3";
    pen.fillRect(EDGE, top - LINE + 16, WIDE - 2 * EDGE, 2);
    write(index + 1, EDGE + 50, top, { align: "right", colour: "#4d5651" });
    write([taker, bid, taker && row.is !== "made" ? words["row-" + row.is] : ""].filter(Boolean).join(", ") || note, EDGE + 80, top, { size: 28, most: cells ? first - EDGE - 60 : WIDE - 2 * EDGE - 80 });
    if (!cells) return;
    sides.forEach((_, side) => {
      write(cells[side], first + column * (side + 1) - 110, top, { size: 28, colour: "#4d5651", align: "right", most: column - 120 });
      write(row.totals[side], first + column * (side + 1), top, { size: 34, weight: 700, align: "right", most: 100 });
    });
  });
  write(standing, EDGE, top + LINE, { size: 30, weight: 600 });
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export function saveFile(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// To an app of the device where it takes that, and otherwise into its downloads.
export async function sendFile(blob, name) {
  const file = new File([blob], name, { type: blob.type });
  if (!navigator.canShare?.({ files: [file] })) {
    saveFile(blob, name);
    return true;
  }
  try {
    await navigator.share({ files: [file] });
  } catch { /* nobody was chosen to send it to */ }
  return false;
}
