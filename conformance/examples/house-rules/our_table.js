// Belotten by the house rules beside this file: who wins, which cards are legal, what a deal and a match score.
// It plays one rule otherwise than the house: a taker with no more points than the others falls, and nothing is held.
'use strict';

const PLAIN = ['7', '8', '9', 'J', 'Q', 'K', '10', 'A'];
const TRUMP = ['7', '8', 'Q', 'K', '10', 'A', '9', 'J'];
const POINTS = { 7: 0, 8: 0, 9: 0, J: 2, Q: 3, K: 4, 10: 10, A: 11 };
const TRUMP_POINTS = { ...POINTS, 9: 14, J: 20 };
const [LAST_TRICK, ALL_TRICKS, TARGET, PENALTY] = [10, 250, 51, 25];

const suit = (card) => card.slice(-1);
const rank = (card) => card.slice(0, -1);
const height = (card, trump) => (suit(card) === trump ? TRUMP : PLAIN).indexOf(rank(card));
const points = (card, trump) => (suit(card) === trump ? TRUMP_POINTS : POINTS)[rank(card)];
const worth = (cards, trump) => cards.reduce((sum, card) => sum + points(card, trump), 0);

function best(cards, trump) {
  const winning = cards.some((card) => suit(card) === trump) ? trump : suit(cards[0]);
  const able = cards.filter((card) => suit(card) === winning);
  return able.reduce((one, other) => (height(other, trump) > height(one, trump) ? other : one));
}

const winner = ({ trump, leader, cards }) => (leader + cards.indexOf(best(cards, trump))) % 4;

/** The cards that may be played: follow suit, else ruff if the opponents are winning, over another ruff if possible. */
function legal({ trump, hand, trick }) {
  if (trick.length === 0) return hand;
  const top = best(trick, trump);
  const partnerWins = trick.length >= 2 && trick[trick.length - 2] === top;
  const trumps = hand.filter((card) => suit(card) === trump);
  const following = hand.filter((card) => suit(card) === suit(trick[0]));
  const higher = trumps.filter((card) => suit(top) !== trump || height(card, trump) > height(top, trump));
  const first = (...kinds) => kinds.find((cards) => cards.length > 0);
  if (suit(trick[0]) === trump) return partnerWins ? first(trumps, hand) : first(higher, trumps, hand);
  return partnerWins ? first(following, hand) : first(following, higher, trumps, hand);
}

/** What a deal is worth to both sides. */
function settle({ taker, sides }) {
  const counted = sides.map(({ cards, tricks, declarations = 0, belote = 0 }, side) => (
    (tricks > 0 && sides[1 - side].tricks === 0 ? ALL_TRICKS : cards) + declarations + belote));
  const ours = taker % 2;
  const made = counted[ours] > counted[1 - ours]; // the house leaves equal points "tied", and holds the taker's
  const scored = made ? counted : counted.map((_, side) => (side === ours ? 0 : counted[0] + counted[1]));
  const score = scored.map((own) => Math.floor((own + 5) / 10));
  return { counted, outcome: made ? 'made' : 'fell', points: scored, score, held: 0, written: score.map(String) };
}

function settleTricks({ trump, taker, tricks, sides = [{}, {}] }) {
  const won = tricks.map((trick) => ({ winner: winner({ trump, ...trick }), points: worth(trick.cards, trump) }));
  const sums = sides.map((side, number) => {
    const own = won.filter((trick) => trick.winner % 2 === number);
    const last = won[won.length - 1].winner % 2 === number ? LAST_TRICK : 0;
    return { ...side, tricks: own.length, cards: own.reduce((sum, trick) => sum + trick.points, last) };
  });
  return { tricks: won, cards: sums.map((side) => side.cards), ...settle({ taker, sides: sums }) };
}

/** The side that has won the match, or null. */
function ahead(totals) {
  if (Math.max(...totals) < TARGET || totals[0] === totals[1]) return null;
  return totals[0] > totals[1] ? 0 : 1;
}

/** The score of a match after its deals; points that were held before go to the side that is ahead. */
function match({ dealer, deals, totals = [0, 0], held = 0 }) {
  const lines = [];
  let over = ahead(totals);
  for (const [at, { scored, accusation }] of deals.entries()) {
    if (over !== null) return { rejected: { at, reason: 'match-over' } };
    let score = [0, 0];
    const freed = [0, 0];
    if (scored) {
      const done = settle(scored);
      ({ score } = done);
      freed[done.points[0] > done.points[1] ? 0 : 1] = held;
      held = 0;
    } else if (accusation) {
      score[(accusation.proved ? accusation.of : accusation.by) % 2] = -PENALTY;
    }
    totals = totals.map((total, side) => total + score[side] + freed[side]);
    lines.push({ dealer, score, freed, held, totals });
    over = ahead(totals);
    dealer = (dealer + 1) % 4;
  }
  return { result: { deals: lines, winner: over, surplus: 0, next_dealer: over === null ? dealer : null } };
}

const answers = {
  'trick-winner': (asked) => ({ result: { winner: winner(asked) } }),
  'card-points': ({ cards, trump, last_trick: last }) => ({ result: { points: worth(cards, trump) + (last ? LAST_TRICK : 0) } }),
  'legal-cards': (asked) => ({ result: { cards: legal(asked) } }),
  'score-deal': (asked) => ({ result: settle(asked) }),
  'settle-tricks': (asked) => ({ result: settleTricks(asked) }),
  match,
};
const hello = { protocol: 1, name: 'our-table-js', version: '1.0', language: 'JavaScript', profiles: ['our-table'] };

function reply({ id, op, input }) {
  try {
    if (op === 'hello') return { id, result: { ...hello, operations: Object.keys(answers) } };
    return { id, ...answers[op](input) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

let pending = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (pending + chunk).split('\n');
  pending = lines.pop();
  for (const line of lines) process.stdout.write(`${JSON.stringify(reply(JSON.parse(line)))}\n`);
});
