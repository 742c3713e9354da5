// An adapter: it lets `belot` ask your engine questions, and sends the answers back.
//
// The part between the two lines of === is yours. The rest reads one question a line on stdin and writes one answer
// a line on stdout, and need not change. It uses nothing beyond Rust's standard library; the JSON is at the end.

use std::io::{self, BufRead, Write};
use std::panic;

// ===================================================================== yours: what your program is, and your engine

const NAME: &str = "my-belot";
const VERSION: &str = "0.1";
const LANGUAGE: &str = "Rust";
const PROFILES: &[&str] = &["bela-4"]; // the rules your program plays by: `belot spec list` names them
const OPERATIONS: &[&str] = &["trick-winner"]; // what `answer` can answer; add one at a time: `belot adapter try`
const DEALS: &str = "deck"; // how whole deals come: as the deck; or as "hands"; "play" has no bidding, "tricks" no hands
const ANNOUNCING: &str = "players"; // or "automatic", if your program announces, and says belote, by itself
const LAST_TRICK: &str = "in-cards"; // or "apart", if the last trick's bonus must not be in the cards of score-deal
const FIELDS: &[(&str, &[&str])] = &[]; // fields you give, if not all: &[("score-deal", &["points", "outcome"])]

/// Answers one question: call your own engine here, each operation at its place.
///
/// The protocol page says what everything means. Where the rules refuse what is asked, the answer is
/// {"rejected": {"reason": "illegal-card", "at": 3}}. A panic costs this one answer, and not the run.
fn answer(operation: &str, _profile: &str, asked: &Json) -> Json {
    match operation {
        "trick-winner" => {
            // asked:  {"trump": "H", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]}, the cards in the order played
            // result: {"winner": 2}
            let winner = trick_winner(asked["trump"].text(), asked["leader"].number(), &asked["cards"].texts());
            object([("result", object([("winner", winner.into())]))])
        }

        // <place>
        "{operation}" => {
            // asked:  {asked}
            // result: {result}
            not_yet()
        }

        // </place>
        _ => not_yet(),
    }
}

fn not_yet() -> Json {
    object([("unsupported", "not there yet".into())])
}

/// Returns the seat that wins a trick; a small engine to begin with, which yours replaces.
fn trick_winner(trump: &str, leader: usize, cards: &[&str]) -> usize {
    let ruffed = cards.iter().any(|card| card.ends_with(trump));
    let led = if ruffed { trump } else { &cards[0][cards[0].len() - 1..] };
    let order = if ruffed { ["7", "8", "Q", "K", "10", "A", "9", "J"] } else { ["7", "8", "9", "J", "Q", "K", "10", "A"] };
    let height = |card: &str| order.iter().position(|rank| card.ends_with(led) && card[..card.len() - 1] == **rank);
    let best = (0..cards.len()).max_by_key(|place| height(cards[*place])).unwrap();
    (leader + best) % cards.len()
}

// =============================================================================== not yours: the talk with the runner

/// Returns the reply to a request, which repeats its id.
fn reply(request: &Json) -> Json {
    let said = panic::catch_unwind(|| match request["op"].text() {
        "hello" => object([("result", hello(&request["input"]))]), // the handshake: the first request of all
        operation => answer(operation, request["profile"].text(), &request["input"]),
    });
    let mut fields = vec![("id".to_string(), request["id"].clone())];
    match said {
        Ok(Json::Object(said)) => fields.extend(said),
        Ok(_) => fields.push(("error".to_string(), "the answer is no object".into())),
        Err(wrong) => {
            // a bug costs one answer, not the whole run
            let told = wrong.downcast_ref::<String>().map(String::as_str).or(wrong.downcast_ref::<&str>().copied());
            fields.push(("error".to_string(), told.unwrap_or("it panicked").into()));
        }
    }
    Json::Object(fields)
}

/// Says what this program is and how it may be asked.
fn hello(input: &Json) -> Json {
    assert!(input["protocol"].items().contains(&Json::Number(1.0)), "this adapter speaks protocol 1 only");
    let mut said = vec![("protocol".to_string(), Json::Number(1.0))];
    let texts = [("name", NAME), ("version", VERSION), ("language", LANGUAGE), ("deals", DEALS)];
    let others = [("announcing", ANNOUNCING), ("last_trick", LAST_TRICK)];
    said.extend(others.map(|(field, text)| (field.to_string(), text.into())));
    said.extend(texts.map(|(field, text)| (field.to_string(), text.into())));
    let fields = FIELDS.iter().map(|(operation, names)| (operation.to_string(), list(names))).collect();
    said.push(("fields".to_string(), Json::Object(fields)));
    said.push(("profiles".to_string(), list(PROFILES)));
    said.push(("operations".to_string(), list(OPERATIONS)));
    Json::Object(said)
}

/// Answers line by line until stdin closes. Nothing else may be printed on stdout; stderr is free.
fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let mut text = String::new();
        reply(&read(&line?)).write(&mut text);
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{text}")?;
        stdout.flush()?; // or the answer waits in a buffer, and the runner waits for the answer
    }
    Ok(())
}

// ------------------------------------------------------------------------------------------------------------ JSON

#[allow(dead_code)]
#[derive(Clone, Debug, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

static NULL: Json = Json::Null;

/// A field of an object: null where it is not there.
impl std::ops::Index<&str> for Json {
    type Output = Json;

    fn index(&self, name: &str) -> &Json {
        let Json::Object(fields) = self else { panic!("no object to take {name} from: {self:?}") };
        fields.iter().find(|(field, _)| field == name).map_or(&NULL, |(_, value)| value)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_string())
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Json {
        Json::Number(number as f64)
    }
}

fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.map(|(name, value)| (name.to_string(), value)).to_vec())
}

fn list(texts: &[&str]) -> Json {
    Json::List(texts.iter().map(|text| (*text).into()).collect())
}

#[allow(dead_code)]
impl Json {
    fn text(&self) -> &str {
        let Json::Text(text) = self else { panic!("no text: {self:?}") };
        text
    }

    fn number(&self) -> usize {
        let Json::Number(number) = self else { panic!("no number: {self:?}") };
        *number as usize
    }

    fn items(&self) -> &[Json] {
        let Json::List(items) = self else { panic!("no list: {self:?}") };
        items
    }

    fn texts(&self) -> Vec<&str> {
        self.items().iter().map(Json::text).collect()
    }

    fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(&value.to_string()),
            Json::Number(number) => out.push_str(&number.to_string()),
            Json::Text(text) => write_text(text, out),
            Json::List(items) => {
                out.push('[');
                for (place, item) in items.iter().enumerate() {
                    out.push_str(if place > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            Json::Object(fields) => {
                out.push('{');
                for (place, (name, value)) in fields.iter().enumerate() {
                    out.push_str(if place > 0 { "," } else { "" });
                    write_text(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' | '\\' | '\0'..='\x1f' => out.push_str(&format!("\\u{:04x}", sign as u32)),
            _ => out.push(sign),
        }
    }
    out.push('"');
}

/// Reads one text of JSON, and panics where it is none.
fn read(text: &str) -> Json {
    let mut reader = Reader { signs: text.chars().collect(), at: 0 };
    let value = reader.value();
    assert!(reader.next().is_none(), "no JSON at character {}: {text}", reader.at);
    value
}

struct Reader {
    signs: Vec<char>,
    at: usize,
}

impl Reader {
    /// The next sign that is no blank, which stays to be read.
    fn next(&mut self) -> Option<char> {
        while self.signs.get(self.at).is_some_and(|sign| sign.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.signs.get(self.at).copied()
    }

    fn take(&mut self, sign: char) -> bool {
        let there = self.next() == Some(sign);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, sign: char) {
        assert!(self.take(sign), "no JSON at character {}: {sign} is missing", self.at);
    }

    fn value(&mut self) -> Json {
        match self.next() {
            Some('{') => {
                let mut fields = Vec::new();
                self.between('{', '}', |reader| {
                    let name = reader.string();
                    reader.expect(':');
                    fields.push((name, reader.value()));
                });
                Json::Object(fields)
            }
            Some('[') => {
                let mut items = Vec::new();
                self.between('[', ']', |reader| items.push(reader.value()));
                Json::List(items)
            }
            Some('"') => Json::Text(self.string()),
            _ => self.word(),
        }
    }

    fn between(&mut self, start: char, end: char, mut item: impl FnMut(&mut Reader)) {
        self.expect(start);
        if self.take(end) {
            return;
        }
        item(self);
        while self.take(',') {
            item(self);
        }
        self.expect(end);
    }

    fn string(&mut self) -> String {
        self.expect('"');
        let mut units = Vec::new(); // of UTF-16, as \u escapes count them
        while self.signs[self.at] != '"' {
            let sign = self.signs[self.at];
            self.at += 1;
            let meant = if sign == '\\' { self.escaped() } else { sign as u32 };
            match char::from_u32(meant) {
                Some(sign) => units.extend_from_slice(sign.encode_utf16(&mut [0; 2])),
                None => units.push(meant as u16), // one half of a pair
            }
        }
        self.at += 1;
        String::from_utf16_lossy(&units)
    }

    fn escaped(&mut self) -> u32 {
        let sign = self.signs[self.at];
        self.at += 1;
        match sign {
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => {
                self.at += 4;
                let code: String = self.signs[self.at - 4..self.at].iter().collect();
                u32::from_str_radix(&code, 16).expect("four hexadecimal digits")
            }
            _ => sign as u32,
        }
    }

    fn word(&mut self) -> Json {
        let start = self.at;
        while self.signs.get(self.at).is_some_and(|sign| sign.is_ascii_alphanumeric() || "+-.".contains(*sign)) {
            self.at += 1;
        }
        let word: String = self.signs[start..self.at].iter().collect();
        match word.as_str() {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            _ => Json::Number(word.parse().unwrap_or_else(|_| panic!("no JSON at character {start}: {word}"))),
        }
    }
}
