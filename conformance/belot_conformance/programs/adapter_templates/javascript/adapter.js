// An adapter: it lets `belot` ask your engine questions, and sends the answers back.
//
// The part between the two lines of === is yours. The rest reads one question a line on stdin and writes one answer
// a line on stdout, and need not change. It uses nothing beyond Node 18.
'use strict';

// ===================================================================== yours: what your program is, and your engine

const NAME = 'my-belot';
const VERSION = '0.1';
const LANGUAGE = 'JavaScript';
const PROFILES = ['bela-4']; // the rules your program plays by: `belot spec list` names them
const OPERATIONS = ['trick-winner']; // what `answer` can answer; add one at a time, and run `belot smoke` after each

/**
 * Answer one question: a result, or why there is none. Call your own engine here.
 *
 * The protocol page says what each operation is asked, and what its result holds. Other answers than a result are
 * {rejected: {reason: 'illegal-card', at: 3}} when the rules refuse what is asked, and {unsupported: 'why'}.
 * An exception is no harm: it becomes an answer {error: …} to this question alone.
 */
function answer(operation, profile, question) {
  if (operation === 'trick-winner') {
    // Asked: {trump: 'H', leader: 0, cards: ['AS', '7S', '7H', '10S']}, the cards in the order played.
    return { result: { winner: trickWinner(question.trump, question.leader, question.cards) } };
  }
  return { unsupported: `${operation} is not there yet` };
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

/** What this program is and what it may be asked. */
function hello(offered) {
  if (!offered.includes(1)) throw new Error(`this adapter speaks protocol 1 only, and ${offered} was offered`);
  // Whole deals come as a deck; add deals: 'hands' to get the hands that were dealt instead. Gives your program only
  // some fields of a result? Add fields: { 'score-deal': ['points', 'outcome'] }, and only those are compared.
  return { protocol: 1, name: NAME, version: VERSION, language: LANGUAGE, profiles: PROFILES, operations: OPERATIONS };
}

// Answer line by line until stdin closes. Nothing else may be printed on stdout; console.error is free.
require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => process.stdout.write(`${JSON.stringify(reply(JSON.parse(line)))}\n`));
