// An adapter: it lets `belot` ask your engine questions, and sends the answers back.
//
// The part between the two lines of === is yours. The rest reads one question a line on stdin and writes one answer
// a line on stdout, and need not change. It uses nothing beyond Node 18, and runs as it is both as an ES module
// ("type": "module") and as CommonJS; bring your engine in here with import or require, whichever your project uses.
'use strict';

// ===================================================================== yours: what your program is, and your engine

const NAME = 'my-belot';
const VERSION = '0.1';
const LANGUAGE = 'JavaScript';
const PROFILES = ['bela-4']; // the rules your program plays by: `belot spec list` names them
const OPERATIONS = ['trick-winner']; // what `answer` can answer; add one at a time: `belot adapter try` after each
const SHAPE = {
  deals: 'deck', // how whole deals come: as the deck; or as 'hands'; 'play' has no bidding, 'tricks' no hands
  announcing: 'players', // or 'automatic', if your program announces, and says belote, by itself
  last_trick: 'in-cards', // or 'apart', if the last trick's bonus must not be in the cards of score-deal
  fields: {}, // fields that your program gives, if not all: { 'score-deal': ['points', 'outcome'] }
};
const NOT_YET = { unsupported: 'not there yet' };

/**
 * Answer one question: call your own engine here, each operation at its place.
 *
 * The protocol page says what everything means. Where the rules refuse what is asked, the answer is
 * {rejected: {reason: 'illegal-card', at: 3}}. What is thrown costs this one answer, and not the run.
 */
function answer(operation, profile, asked) {
  switch (operation) {
    case 'trick-winner':
      // asked:  {"trump": "H", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]}, the cards in the order played
      // result: {"winner": 2}
      return { result: { winner: trickWinner(asked.trump, asked.leader, asked.cards) } };

    // <place>
    case '{operation}':
      // asked:  {asked}
      // result: {result}
      return NOT_YET;

    // </place>
    default:
      return NOT_YET;
  }
}

/** The seat that wins a trick; a small engine to begin with, which yours replaces. */
function trickWinner(trump, leader, cards) {
  const suitOf = (card) => card.slice(-1);
  const trumps = cards.filter((card) => suitOf(card) === trump);
  const followers = cards.filter((card) => suitOf(card) === suitOf(cards[0]));
  const order = trumps.length ? ['7', '8', 'Q', 'K', '10', 'A', '9', 'J'] : ['7', '8', '9', 'J', 'Q', 'K', '10', 'A'];
  const height = (card) => order.indexOf(card.slice(0, -1));
  const best = (trumps.length ? trumps : followers).reduce((one, other) => (height(other) > height(one) ? other : one));
  return (leader + cards.indexOf(best)) % cards.length;
}

// =============================================================================== not yours: the talk with the runner

/** The reply to a request, which repeats its id. */
function reply({ id, op, profile, input }) {
  try {
    // The first request of all is the handshake.
    return op === 'hello' ? { id, result: hello(input.protocol) } : { id, ...answer(op, profile, input) };
  } catch (error) { // a bug costs one answer, not the whole run
    return { id, error: String(error) };
  }
}

/** What this program is and how it may be asked. */
function hello(offered) {
  if (!offered.includes(1)) throw new Error(`this adapter speaks protocol 1 only, and ${offered} was offered`);
  const said = { protocol: 1, name: NAME, version: VERSION, language: LANGUAGE };
  return { ...said, profiles: PROFILES, operations: OPERATIONS, ...SHAPE };
}

// Answer line by line until stdin closes. Nothing else may be printed on stdout; console.error is free.
let pending = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (pending + chunk).split('\n');
  pending = lines.pop();
  for (const line of lines) process.stdout.write(`${JSON.stringify(reply(JSON.parse(line)))}\n`);
});
