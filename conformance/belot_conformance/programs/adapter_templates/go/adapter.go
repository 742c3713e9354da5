// An adapter: it lets `belot` ask your engine questions, and sends the answers back.
//
// The part between the two lines of === is yours. The rest reads one question a line on stdin and writes one answer
// a line on stdout, and need not change. It uses nothing beyond Go's standard library.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Object is an object of JSON.
type Object = map[string]any

// ===================================================================== yours: what your program is, and your engine

const name, version, language = "my-belot", "0.1", "Go"

var profiles = []string{"bela-4"}         // the rules your program plays by: `belot spec list` names them
var operations = []string{"trick-winner"} // what answer can answer; add one at a time: `belot adapter try` after each
var shape = Object{
	"deals":      "deck",     // how whole deals come: as the deck; or as "hands"; "play" has no bidding, "tricks" no hands
	"announcing": "players",  // or "automatic", if your program announces, and says belote, by itself
	"last_trick": "in-cards", // or "apart", if the last trick's bonus must not be in the cards of score-deal
	"fields":     Object{},   // fields that your program gives, if not all: {"score-deal": []string{"points", "outcome"}}
}
var notYet = Object{"unsupported": "not there yet"}

// answer answers one question: call your own engine here, each operation at its place.
//
// The protocol page says what everything means. Where the rules refuse what is asked, the answer is
// {"rejected": {"reason": "illegal-card", "at": 3}}. A panic costs this one answer, and not the run.
func answer(operation, profile string, asked json.RawMessage) Object {
	switch operation {
	case "trick-winner":
		// asked:  {"trump": "H", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]}, the cards in the order played
		// result: {"winner": 2}
		var trick struct {
			Trump  string
			Leader int
			Cards  []string
		}
		read(asked, &trick)
		return Object{"result": Object{"winner": trickWinner(trick.Trump, trick.Leader, trick.Cards)}}

	// <place>
	case "{operation}":
		// asked:  {asked}
		// result: {result}
		return notYet

	// </place>
	default:
		return notYet
	}
}

// trickWinner returns the seat that wins a trick; a small engine to begin with, which yours replaces.
func trickWinner(trump string, leader int, cards []string) int {
	suit := func(card string) string { return card[len(card)-1:] }
	led, order := suit(cards[0]), "7 8 9 J Q K 10 A"
	for _, card := range cards {
		if suit(card) == trump {
			led, order = trump, "7 8 Q K 10 A 9 J"
		}
	}
	best, highest := 0, -1
	for place, card := range cards {
		height := strings.Index(order, card[:len(card)-1])
		if suit(card) == led && height > highest {
			best, highest = place, height
		}
	}
	return (leader + best) % len(cards)
}

// =============================================================================== not yours: the talk with the runner

type request struct {
	ID, Op, Profile string
	Input           json.RawMessage
}

// read reads what is asked into a struct of yours; fields that it does not name are left out.
func read(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		panic(err)
	}
}

// reply returns the reply to a request, which repeats its id.
func reply(line []byte) (said Object) {
	var asked request
	read(line, &asked)
	defer func() { // a bug costs one answer, not the whole run
		if wrong := recover(); wrong != nil {
			said = Object{"error": fmt.Sprint(wrong)}
		}
		said["id"] = asked.ID
	}()
	if asked.Op == "hello" { // the handshake: the first request of all
		return Object{"result": hello(asked.Input)}
	}
	said = Object{}
	for field, value := range answer(asked.Op, asked.Profile, asked.Input) {
		said[field] = value
	}
	return said
}

// hello says what this program is and how it may be asked.
func hello(input []byte) Object {
	var offered struct{ Protocol []int }
	read(input, &offered)
	spoken := false
	for _, protocol := range offered.Protocol {
		spoken = spoken || protocol == 1
	}
	if !spoken {
		panic(fmt.Sprintf("this adapter speaks protocol 1 only, and %v was offered", offered.Protocol))
	}
	said := Object{"protocol": 1, "name": name, "version": version, "language": language}
	said["profiles"], said["operations"] = profiles, operations
	for field, value := range shape {
		said[field] = value
	}
	return said
}

// main answers line by line until stdin closes. Nothing else may be printed on stdout; stderr is free.
func main() {
	lines, answers := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if err := answers.Encode(reply(line)); err != nil {
			return
		}
	}
}
