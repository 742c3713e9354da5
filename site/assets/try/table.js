// The table's own rules in the playground: from a file, pasted text, or an address; checked by the engine, and remembered.
import { faultInWords, inWords, keepTable, keptTable, readable, readRules, writeRules } from "./own-rules.js";

export const isOwn = (state) => Object.keys(state.changes).length > 0;

export function tableOf(state) {
  return { name: state.name, base: state.variant, options: state.options, changes: state.changes };
}

export function builderAddress(state) {
  const query = new URLSearchParams({ base: state.variant });
  if (state.options.length) query.set("o", state.options.join(","));
  if (state.name) query.set("name", state.name);
  return "../house-rules/" + readable(writeRules(query, state.changes));
}

// An address of the builder or of the playground, whole or only what follows the question mark.
function fromAddress(text) {
  if (!/^\S*\?\S+$/.test(text) || text.includes("\n")) return null;
  const query = new URLSearchParams(text.slice(text.indexOf("?")));
  const base = query.get("base") || query.get("v");
  if (!base) return null;
  return { name: (query.get("name") || "").slice(0, 60), base, options: (query.get("o") || "").split(",").filter(Boolean), changes: readRules(query) };
}

export function tablePanel({ find, make, fill, words, data, root, ask, tell, rules, own, change, state }) {
  const language = document.documentElement.lang;

  function keep(table) {
    const isKept = keepTable(table);
    if (isKept) window.belotVariant?.playTable();
    return isKept;
  }

  async function use(text) {
    const line = find("own-said");
    const given = fromAddress(text.trim());
    if (!given && !text.trim()) {
      line.textContent = words["own-empty"];
      return;
    }
    line.textContent = words["own-reading"];
    let found;
    try {
      found = await ask(root, { ask: "table", input: given || { text } }, tell);
    } catch {
      line.textContent = words.failed;
      return;
    }
    if (found.fault) {
      line.textContent = faultInWords(found.fault, words, await rules());
      return;
    }
    const table = given || { ...found, name: found.name[language] || Object.values(found.name)[0] };
    line.textContent = words[keep(table) ? "own-taken" : "own-not-kept"];
    change({ variant: table.base, options: table.options, changes: table.changes, name: table.name });
  }

  find("own-use").addEventListener("click", () => use(find("own-text").value));
  find("own-file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const text = await file.text();
    find("own-text").value = text;
    await use(text);
  });
  find("own-forget").addEventListener("click", () => {
    keepTable(null);
    find("own-said").textContent = "";
    change({ changes: {}, name: "", options: [] });
  });
  find("own-keep").addEventListener("click", () => {
    find("own-said").textContent = words[keep(tableOf(state())) ? "own-taken" : "own-not-kept"];
    change({});
  });

  // The choice of variants has the remembered table last; what is on the page without being remembered stands there as well.
  return async function show() {
    const now = state();
    const kept = keptTable();
    const select = find("variant");
    const table = isOwn(now) ? tableOf(now) : kept;
    select.querySelector("[value=own]")?.remove();
    if (table && data.variants[table.base]) {
      const name = fill(words["own-table"], { name: table.name || data.variants[table.base].name });
      select.append(make("option", { value: "own" }, name));
    }
    select.value = isOwn(now) ? "own" : now.variant;
    const same = kept && JSON.stringify([kept.base, kept.changes]) === JSON.stringify([now.variant, now.changes]);
    find("own-keep").hidden = !isOwn(now) || Boolean(same);
    find("own-forget").hidden = !isOwn(now) && !kept;
    find("own-told").hidden = !isOwn(now);
    if (!isOwn(now)) return;
    const told = await rules();
    if (!told) return;
    const lines = Object.entries(now.changes).map(([rule, value]) => {
      const { title, short, sentence } = inWords(told, now.variant, rule, value);
      return make("li", {}, make("strong", {}, title + ": "), sentence || short);
    });
    // What is ticked is part of the table too.
    const ticked = now.options.map((name) => make("li", {}, make("strong", {}, own().options[name].title || name)));
    find("own-rules").replaceChildren(...ticked, ...lines);
    find("own-change").href = builderAddress(now);
    find("own-base").textContent = fill(words["own-base"], { name: own().name });
  };
}
