// Bela for four in plain JavaScript, and a thin adapter that speaks the belot-conformance protocol.
// The engine comes first and knows nothing of JSON; put your own in its place and keep the adapter.
'use strict';

// ---------------------------------------------------------------------------------------------- engine
// A card is a number: suit * 8 + rank. The tables below are indexed by rank.

const SUITS = ['S', 'H', 'D', 'C'];
const RANKS = ['7', '8', '9', '10', 'J', 'Q', 'K', 'A'];

//                       7  8   9  10   J  Q  K   A
const PLAIN_POINTS   = [ 0, 0,  0, 10,  2, 3, 4, 11];
const TRUMP_POINTS   = [ 0, 0, 14, 10, 20, 3, 4, 11];
const PLAIN_STRENGTH = [ 0, 1,  2,  6,  3, 4, 5,  7];
const TRUMP_STRENGTH = [ 0, 1,  6,  4,  7, 2, 3,  5];

const PLAYERS = 4;
const LAST_TRICK = 10;

const suitOf = (card) => card >> 3;
const rankOf = (card) => card & 7;

/** How strong a card is in a trick: any trump above any card of the led suit, other cards win nothing. */
function strength(card, led, trump) {
  if (suitOf(card) === trump) return 8 + TRUMP_STRENGTH[rankOf(card)];
  if (suitOf(card) === led) return PLAIN_STRENGTH[rankOf(card)];
  return -1;
}

/** The strongest card of a trick that has begun. */
function bestCard(trick, trump) {
  const power = (card) => strength(card, suitOf(trick[0]), trump);
  return trick.reduce((best, card) => (power(card) > power(best) ? card : best));
}

/** The seat that wins a full trick. */
function trickWinner(trick, leader, trump) {
  return (leader + trick.indexOf(bestCard(trick, trump))) % PLAYERS;
}

/**
 * The cards that may be played: follow suit, else trump, else anything; and always beat the best card so far
 * if you can do that with the suit you must play. Whose card it is makes no difference, partner or opponent.
 * (After a ruff no plain card beats the best card, so a player who can follow is free within the led suit.)
 */
function legalCards(hand, trick, trump) {
  if (trick.length === 0) return hand;

  const led = suitOf(trick[0]);
  const toBeat = strength(bestCard(trick, trump), led, trump);
  const highIfPossible = (cards) => {
    const higher = cards.filter((card) => strength(card, led, trump) > toBeat);
    return higher.length > 0 ? higher : cards;
  };

  const following = hand.filter((card) => suitOf(card) === led);
  if (following.length > 0) return highIfPossible(following);

  const trumps = hand.filter((card) => suitOf(card) === trump);
  if (trumps.length > 0) return highIfPossible(trumps);

  return hand;
}

/** What a pile of cards is worth, in card points. */
function cardPoints(cards, trump, withLastTrick) {
  const value = (card) => (suitOf(card) === trump ? TRUMP_POINTS : PLAIN_POINTS)[rankOf(card)];
  return cards.reduce((sum, card) => sum + value(card), withLastTrick ? LAST_TRICK : 0);
}

// --------------------------------------------------------------------------------------------- adapter
// Protocol words to engine numbers and back. What cannot be read throws, and becomes an `error` reply.

const PROFILE = 'bela-4';
const PROTOCOL = 1;

class Unsupported extends Error {}

function readSuit(text) {
  const suit = SUITS.indexOf(text);
  if (suit < 0) throw new Error(`not a suit: ${JSON.stringify(text)}`);
  return suit;
}

function readCard(text) {
  const rank = typeof text === 'string' ? RANKS.indexOf(text.slice(0, -1)) : -1;
  if (rank < 0) throw new Error(`not a card: ${JSON.stringify(text)}`);
  return readSuit(text.slice(-1)) * 8 + rank;
}

function readCards(list, name) {
  if (!Array.isArray(list)) throw new Error(`${name} is not a list`);
  const cards = list.map(readCard);
  if (new Set(cards).size < cards.length) throw new Error(`${name} holds the same card twice`);
  return cards;
}

function readSeat(seat) {
  if (![0, 1, 2, 3].includes(seat)) throw new Error(`not a seat: ${JSON.stringify(seat)}`);
  return seat;
}

const writeCard = (card) => RANKS[rankOf(card)] + SUITS[suitOf(card)];

const operations = new Map([
  ['trick-winner', ({ trump, leader, cards }) => {
    const trick = readCards(cards, 'cards');
    if (trick.length !== PLAYERS) throw new Error(`a trick has ${PLAYERS} cards, not ${trick.length}`);
    return { winner: trickWinner(trick, readSeat(leader), readSuit(trump)) };
  }],
  ['card-points', ({ trump, cards, last_trick: lastTrick = false }) => {
    if (typeof lastTrick !== 'boolean') throw new Error('last_trick is neither true nor false');
    return { points: cardPoints(readCards(cards, 'cards'), readSuit(trump), lastTrick) };
  }],
  ['legal-cards', ({ trump, hand, trick }) => {
    const own = readCards(hand, 'hand');
    const played = readCards(trick, 'trick');
    if (played.length >= PLAYERS) throw new Error('nobody is to play to a full trick');
    if (own.some((card) => played.includes(card))) throw new Error('hand and trick hold the same card');
    return { cards: legalCards(own, played, readSuit(trump)).map(writeCard) };
  }],
]);

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function answer({ op, profile, input }) {
  if (typeof op !== 'string') throw new Error('a request needs an op');
  if (op !== 'hello' && !operations.has(op)) throw new Unsupported(`operation ${op}`);
  if (op !== 'hello' && profile !== PROFILE) throw new Unsupported(`profile ${profile}`);
  if (!isObject(input)) throw new Error('input is not an object');
  if (op !== 'hello') return operations.get(op)(input);

  if (!Array.isArray(input.protocol)) throw new Error('protocol is not a list');
  if (!input.protocol.includes(PROTOCOL)) throw new Unsupported(`only protocol ${PROTOCOL} is spoken here`);
  return {
    protocol: PROTOCOL,
    name: 'example-bela-js',
    version: '1.0',
    language: 'JavaScript',
    profiles: [PROFILE],
    operations: [...operations.keys()],
    window: 16,
  };
}

function handleLine(line) {
  if (line.trim() === '') return;
  let request;
  try {
    request = JSON.parse(line);
  } catch (error) {
    console.error(`not JSON: ${error.message}`);
    return;
  }
  const id = isObject(request) ? request.id : undefined;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
    console.error('a line without an id cannot be answered');
    return;
  }
  let reply;
  try {
    reply = { id, result: answer(request) };
  } catch (error) {
    reply = { id, [error instanceof Unsupported ? 'unsupported' : 'error']: error.message };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

// Cut the input at "\n" only: the readline module also cuts at U+2028, which may stand in a JSON string.
let pending = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (pending + chunk).split('\n');
  pending = lines.pop();
  lines.forEach(handleLine);
});
process.stdin.on('end', () => handleLine(pending)); // nothing is left to wait for: Node exits by itself
process.stdout.on('error', () => process.exit()); // the runner has gone
