"""The rules as values, and the engine, need nothing but the standard library: who has the rules reads no file."""

import json
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from belot_conformance.suite.cases import Case
from belot_reference.compile import compile_profile
from belot_reference.errors import BadQuestionError
from belot_reference.operations import OPERATIONS, answer
from belot_spec.spec import Spec

PER_OPERATION = 25
_ALONE = """
import json, pickle, pkgutil, sys
from importlib import import_module
from pathlib import Path

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"yaml", "_yaml", "jsonschema", "jsonschema_rs", "referencing", "rpds", "attr"}:
            raise ModuleNotFoundError(f"{name} is not to be had here", name=name)

sys.meta_path.insert(0, Refusing())
import belot_reference, belot_spec
for package in (belot_spec, belot_reference):
    for module in pkgutil.iter_modules(package.__path__):
        if not module.ispkg:
            import_module(f"{package.__name__}.{module.name}")

from belot_reference.compile import compile_profile
from belot_reference.errors import BadQuestionError
from belot_reference.operations import answer
from belot_spec.shipped import bring_rules

spec = pickle.loads(Path(sys.argv[1]).read_bytes())
bring_rules(spec.rules)
told = []
for profile, operation, question in json.loads(sys.stdin.read()):
    try:
        found = answer(operation, compile_profile(spec.profile(profile)), question, well_formed=True)
        told.append([found.message(), sorted(found.rules)])
    except BadQuestionError as error:
        told.append(str(error))
loaded = [name for name in sys.modules if name.startswith("belot_spec.load")]
print(json.dumps({"told": told, "loaded": loaded}))
"""


def answered(spec: Spec, profile: str, operation: str, question: Any) -> Any:
    try:
        found = answer(operation, compile_profile(spec.profile(profile)), question, well_formed=True)
    except BadQuestionError as error:
        return str(error)
    return [found.message(), sorted(found.rules)]


def test_who_has_the_rules_needs_the_standard_library_alone(spec: Spec, cases: Sequence[Case], tmp_path: Path) -> None:
    asked = [
        (case.profile, operation, case.input)
        for operation in OPERATIONS
        for case in [one for one in cases if one.operation == operation][:PER_OPERATION]
    ]
    assert {operation for _, operation, _ in asked} == set(OPERATIONS)
    assert spec.rules["deal.players"].allows(4)
    assert spec.rules["deal.players"].shape
    (tmp_path / "spec").write_bytes(pickle.dumps(spec))
    alone = subprocess.run(
        [sys.executable, "-c", _ALONE, str(tmp_path / "spec")],
        input=json.dumps(asked), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert alone.stderr == ""
    said = json.loads(alone.stdout)
    assert said["loaded"] == []
    assert said["told"] == json.loads(json.dumps([answered(spec, *one) for one in asked]))
