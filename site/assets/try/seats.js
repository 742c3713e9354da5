// Who sits where, seen from the reader: the next player sits on the left, or on the right where play goes the other way round.
export function seatNames(told, words) {
  const after = told.anticlockwise ? words.right : words.left;
  const before = told.anticlockwise ? words.left : words.right;
  if (told.players === 2) return [words.you, words.opponent];
  if (told.players === 3) return [words.you, after, before];
  return [words.you, after, words[told.side_of[0] === told.side_of[2] ? "partner" : "opposite"], before];
}

export function sideNames(told, words) {
  const names = seatNames(told, words);
  return Array.from({ length: told.sides }, (_, side) => {
    const seats = names.filter((_, seat) => told.side_of[seat] === side);
    if (seats.length === 1) return seats[0];
    return told.side_of[0] === side ? words.us : words.them;
  });
}
