"""``belot cases show``: a case with its answer, and the lines by which it is asked and rightly answered."""

import json

from belot_conformance.programs.protocol import encode_request, parse_reply
from belot_conformance.suite.cases import Case
from belot_conformance.suite.export import protocol_lines
from belot_conformance.suite.selection import plan_own
from belot_conformance.suite.verdicts import judge
from suite_testing import Belot


def test_the_lines_are_what_is_sent_and_every_reply_is_judged_right(cases: list[Case]) -> None:
    for planned in plan_own(cases[::5]):
        request, replies = protocol_lines(planned)
        assert f"{request}\n".encode() == encode_request(planned.request())
        assert len(replies) == len(planned.case.expected)
        for line in replies:
            assert judge(planned, parse_reply(line.encode())).outcome == "passed", planned.case.id


def test_a_case_is_shown_with_answer_rules_and_raw_lines(belot: Belot) -> None:
    done = belot("cases", "show", "bc-0072")
    words = ("answer worked out", "expected", "ruling", "from      BL-171")
    assert done.returncode == 0
    for word in (*words, "trump ♥ · hand K♥ 9♥ 10♠ 7♦ · trick A♣ 8♣", "play.void.partner-winning", "BL-R3"):
        assert word in done.stdout
    lines = done.stdout.splitlines()
    sent, came = (next(line for line in lines if line.startswith(mark)) for mark in "→←")
    assert json.loads(sent[2:])["input"]["hand"] == ["KH", "9H", "10S", "7D"]
    assert json.loads(came[2:])["result"]["cards"] == ["KH", "9H"]
    assert max(len(line) for line in lines if line[:1] not in ("→", "←")) <= 80
    found = json.loads(belot("cases", "show", "bc-0072", "--format", "json").stdout)
    assert found["lines"] == {"request": sent[2:], "replies": [came[2:]]}
    assert json.loads(sent[2:]) == found["request"]
