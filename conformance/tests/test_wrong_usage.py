"""Whatever is asked wrongly is refused with exit 2 and one clear message, and nothing is printed as if it were an answer."""

import shlex
from collections.abc import Callable
from typing import Any

import pytest

from suite_testing import flat


@pytest.mark.parametrize(("asked", "message"), [
    ("check", "say what to check, one of: reference, http://…, https://…, python:MODULE:NAME"),
    ("check node x.js", "unexpected extra argument"),
    ("check node", "a program's command stands after \"--\""),
    ("check reference -- node", 'or "--" and the command of a program'),
    ("check reference --profile bela-5", "no variant bela-5; did you mean bela-4?"),
    ("check reference --profile nowhere.yaml", "nowhere.yaml:1: the file is missing"),
    ("check reference --operation legal-card", "did you mean legal-cards?"),
    ("check reference --case bc-9999", "there is no case bc-9999"),
    ("check reference --lang de", "'de' is not one of 'en', 'nl', 'fr'"),
    ("check reference --deadline 0", "0.0 is not in the range"),
    ("check --deadline nan reference", "'--deadline'"),
    ("smoke --deadline nan reference", "'--deadline'"),
    ("check reference --profile bela-3+belot-in-trump-only+belot-as-quint",
     "the options belot-in-trump-only and belot-as-quint contradict each other"),
    ("cases lint conformance/docs", "there are no cases here"),
    ("chek", "No such command 'chek'"),
    ("check reference --operation deal --case bc-0001", "no case fits --operation deal and --case bc-0001"),
    ("spec lint nowhere", "there is no rule catalogue here"),
    ("adapter new somewhere", "Missing option '--language'"),
    ("adapter new --language cobol x",
     "'cobol' is not one of 'python', 'javascript', 'typescript', 'go', 'rust', 'java'"),
    ("smoke", "say what to check, one of: reference, http://…"),
    ("smoke refrence", "there is no target refrence; did you mean reference?"),
    ("smoke node", "a program's command stands after \"--\": -- node …"),
    ("smoke reference -- node", "say what to check"),
    ("smoke ftp://localhost", "an address begins with http:// or https://"),
    ("smoke http://", "the address names no host"),
    ("smoke http://localhost:x", "this is no address"),
    ("smoke python:one", "write python:MODULE:NAME"),
    ("smoke python:1:2", "write python:MODULE:NAME"),
    ("impact belote belot", "belot is no profile, no folder and no revision"),
    ("impact belote bela-3", "belote is played by 4 and bela-3 by 3"),
    ("impact bela-2 belotten", "bela-2 is played by 2"),
    ("impact belote nowhere.yaml", "nowhere.yaml"),
    ("impact belote belotten --out nowhere/impact.html", "there is no folder nowhere"),
    ("impact belote belotten --deals 0", "--deals"),
    ("impact belote belotten --player clever", "clever"),
    ("impact belote", "NEW"),
    ("spec show belote+no-undertrumps", "did you mean no-undertrump?"),
    ("spec show belote match.targt", "no rule or topic match.targt; did you mean match.target?"),
    ("spec show belote play.void.opponent", "did you mean play.void.opponent-ruffed?"),
    ("spec show belote qqqq", "(topics: bidding, deal, deck,"),
    ("spec show nowhere.yaml", "the file is missing"),
    ("spec show BL-999", "no statement BL-999; BL has BL-001 to BL-439"),
    ("spec show bela-4 bl-171", "no statement bl-171; did you mean BL-171?"),
    ("spec show BL-169..172", "BL-169..172 is a run; name one statement of it, such as BL-169"),
    ("spec show BL-172..169", "the run BL-172..169 ends before it starts; write BL-169..172"),
    ("spec show BL-R33", "no ruling BL-R33; did you mean BL-R3?"),
    ("spec show match.targt", "no rule or topic match.targt; did you mean match.target?"),
    ("spec show play", "play is a topic; name a variant first: belot spec show bela-2 play"),
    ("spec show bc-0072", "belot check --case bc-0072"),
    ("spec compare belote", "name at least two profiles to compare"),
    ("spec compare belote bela-5", "no variant bela-5; did you mean bela-4?"),
    ("check reference --update-expected", "--update-expected says to write the file of --expected FILE; name one"),
    ("check reference --expected x.yaml --update-expected --case bc-0001", "leave out --case bc-0001"),
    ("check reference --expected .", "this is a folder"),
    ("check reference --expected nowhere/x.yaml --update-expected", "there is no folder nowhere; make it first"),
    ("cases show bc-072", "there is no case bc-072; did you mean bc-0072?"),
    ("cases show 72", "there is no case 72; did you mean bc-0072?"),
    ("cases show bc-00720", "there is no case bc-00720; did you mean bc-0720?"),
    ("lab mutants --profile bela-5", "there are no mutants of bela-5; did you mean bela-4?"),
    ("lab mutants --rule scoring.ti", "there is no rule or topic scoring.ti; did you mean scoring.tie?"),
    ("lab mutants --rule deal.sides --profile bela-2", "no mutant fits"),
    ("lab mutants --rule scoring.tie --since HEAD", "no mutant fits: none of them changed since HEAD"),
    ("lab mutants --since belotten", "belotten is a profile; name a git revision or a folder with the old rules"),
    ("spec new variant Ours --extends bela-4", 'the text "Ours" does not have the right form'),
    ("spec new variant belotten --extends bela-4", "there is already a variant belotten"),
    ("spec new variant ours --extends bela-5", "there is no variant bela-5; did you mean bela-4?"),
    ("spec new variant ours", "Missing option '--extends'"),
    ("spec new source B1 --about bela-4", "two capitals such as BN"),
    ("spec new source BL --about bela-4", "there is already a source BL"),
    ("spec new source ZZ --about bela-4 --statements 1000", "1000 is not in the range"),
])  # fmt: skip
def test_wrong_usage_exits_with_2_and_one_clear_message(belot: Callable[..., Any], asked: str, message: str) -> None:
    done = belot(*shlex.split(asked))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in flat(done.stderr)
    assert "Traceback" not in done.stderr
