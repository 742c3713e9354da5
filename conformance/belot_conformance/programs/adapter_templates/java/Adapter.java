// An adapter: it lets `belot` ask your engine questions, and sends the answers back.
//
// The part between the two lines of === is yours. The rest reads one question a line on stdin and writes one answer
// a line on stdout, and need not change. It uses nothing beyond Java 17's standard library; the JSON is at the end.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Adapter {

    // ================================================================ yours: what your program is, and your engine

    static final String NAME = "my-belot", VERSION = "0.1", LANGUAGE = "Java";
    /** The rules your program plays by: `belot spec list` names them. */
    static final List<String> PROFILES = List.of("bela-4");
    /** What `answer` can answer; add one at a time, and run `belot adapter try` after each. */
    static final List<String> OPERATIONS = List.of("trick-winner");
    static final Map<String, Object> SHAPE = Map.of(
        "deals", "deck", // how whole deals come: as the deck; or as "hands"; "play" has no bidding, "tricks" no hands
        "announcing", "players", // or "automatic", if your program announces, and says belote, by itself
        "last_trick", "in-cards", // or "apart", if the last trick's bonus must not be in the cards of score-deal
        "fields", Map.of()); // fields you give, if not all: Map.of("score-deal", List.of("points", "outcome"))
    static final Map<String, Object> NOT_YET = Map.of("unsupported", "not there yet");

    /**
     * Answers one question: call your own engine here, each operation at its place.
     *
     * The protocol page says what everything means. Where the rules refuse what is asked, the answer is
     * {"rejected": {"reason": "illegal-card", "at": 3}}. What is thrown costs this one answer, and not the run.
     * JSON comes as Map, List, String, Double, Boolean and null, and goes out the same, whole numbers as Integer too.
     */
    static Map<String, Object> answer(String operation, String profile, Map<String, Object> asked) {
        switch (operation) {
            case "trick-winner": {
                // asked:  {"trump": "H", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]}, in the order played
                // result: {"winner": 2}
                int winner = trickWinner((String) asked.get("trump"), number(asked.get("leader")), texts(asked.get("cards")));
                return Map.of("result", Map.of("winner", winner));
            }

            // <place>
            case "{operation}": {
                // asked:  {asked}
                // result: {result}
                return NOT_YET;
            }

            // </place>
            default:
                return NOT_YET;
        }
    }

    /** The seat that wins a trick; a small engine to begin with, which yours replaces. */
    static int trickWinner(String trump, int leader, List<String> cards) {
        boolean ruffed = cards.stream().anyMatch(card -> card.endsWith(trump));
        String led = ruffed ? trump : cards.get(0).substring(cards.get(0).length() - 1);
        List<String> order = List.of((ruffed ? "7 8 Q K 10 A 9 J" : "7 8 9 J Q K 10 A").split(" "));
        int best = 0;
        int highest = -1;
        for (int place = 0; place < cards.size(); place++) {
            String card = cards.get(place);
            int height = order.indexOf(card.substring(0, card.length() - 1));
            if (card.endsWith(led) && height > highest) {
                best = place;
                highest = height;
            }
        }
        return (leader + best) % cards.size();
    }

    // ========================================================================== not yours: the talk with the runner

    static int number(Object value) {
        return ((Number) value).intValue();
    }

    static List<String> texts(Object value) {
        return ((List<?>) value).stream().map(String.class::cast).toList();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    /** The reply to a request, which repeats its id. */
    static Map<String, Object> reply(Map<String, Object> request) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("id", request.get("id"));
        try {
            String operation = (String) request.get("op");
            Map<String, Object> asked = object(request.get("input"));
            boolean first = operation.equals("hello"); // the handshake: the first request of all
            said.putAll(first ? hello(asked) : answer(operation, (String) request.get("profile"), asked));
        } catch (Exception | StackOverflowError wrong) { // a bug costs one answer, not the whole run
            said.put("error", wrong.toString());
        }
        return said;
    }

    /** What this program is and how it may be asked. */
    static Map<String, Object> hello(Map<String, Object> input) {
        List<?> offered = (List<?>) input.get("protocol");
        if (!offered.contains(1.0)) {
            throw new IllegalStateException("this adapter speaks protocol 1 only, and " + offered + " was offered");
        }
        Map<String, Object> said = new LinkedHashMap<>(SHAPE);
        said.putAll(Map.of("protocol", 1, "name", NAME, "version", VERSION, "language", LANGUAGE));
        said.putAll(Map.of("profiles", PROFILES, "operations", OPERATIONS));
        return Map.of("result", said);
    }

    /** Answers line by line until stdin closes. Nothing else may be printed on stdout; System.err is free. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            StringBuilder text = new StringBuilder();
            write(reply(object(new Reader(line).whole())), text);
            answers.print(text.append('\n'));
            answers.flush(); // or the answer waits in a buffer, and the runner waits for the answer
        }
    }

    // ------------------------------------------------------------------------------------------------------- JSON

    static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> fields) {
            String between = "{";
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                out.append(between);
                write(field.getKey(), out);
                write(field.getValue(), out.append(':'));
                between = ",";
            }
            out.append(fields.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            String between = "[";
            for (Object item : items) {
                write(item, out.append(between));
                between = ",";
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            out.append('"');
            for (char sign : text.toCharArray()) {
                boolean plain = sign >= ' ' && sign != '"' && sign != '\\';
                out.append(plain ? String.valueOf(sign) : String.format("\\u%04x", (int) sign));
            }
            out.append('"');
        } else {
            out.append(value); // a number, true, false or null
        }
    }

    /** Reads one text of JSON. */
    static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Object whole() {
            Object value = value();
            if (next() != '\0') {
                throw wrong();
            }
            return value;
        }

        private Object value() {
            return switch (next()) {
                case '{' -> fields();
                case '[' -> items();
                case '"' -> string();
                case 't' -> word("true", true);
                case 'f' -> word("false", false);
                case 'n' -> word("null", null);
                default -> number();
            };
        }

        private Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (boolean more = !empty('}'); more; more = another('}')) {
                next();
                String name = string();
                if (next() != ':') {
                    throw wrong();
                }
                at++;
                fields.put(name, value());
            }
            return fields;
        }

        private List<Object> items() {
            List<Object> items = new ArrayList<>();
            for (boolean more = !empty(']'); more; more = another(']')) {
                items.add(value());
            }
            return items;
        }

        /** Steps over the opening bracket, and over the closing one if nothing stands between. */
        private boolean empty(char end) {
            at++;
            boolean none = next() == end;
            at += none ? 1 : 0;
            return none;
        }

        private boolean another(char end) {
            char sign = next();
            at++;
            if (sign != ',' && sign != end) {
                throw wrong();
            }
            return sign == ',';
        }

        private String string() {
            StringBuilder said = new StringBuilder();
            if (text.charAt(at) != '"') {
                throw wrong();
            }
            while (text.charAt(++at) != '"') {
                char sign = text.charAt(at);
                said.append(sign == '\\' ? escaped() : sign);
            }
            at++;
            return said.toString();
        }

        private char escaped() {
            char sign = text.charAt(++at);
            if (sign == 'u') {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            }
            int known = "bfnrt".indexOf(sign);
            return known < 0 ? sign : "\b\f\n\r\t".charAt(known);
        }

        private Object word(String word, Object meaning) {
            if (!text.startsWith(word, at)) {
                throw wrong();
            }
            at += word.length();
            return meaning;
        }

        private Double number() {
            int start = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return Double.valueOf(text.substring(start, at));
        }

        /** The next sign that is no blank, which stays to be read; NUL where the text ends. */
        private char next() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : '\0';
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("no JSON at character " + at + ": " + text);
        }
    }
}
