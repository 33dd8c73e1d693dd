"""The workflow files do what `.ci/run` and the Makefile do, and nothing that is not there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
FILES = [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), ROOT / ".pre-commit-config.yaml"]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_each_step_is_a_target_or_the_script_of_ci(file):
    steps = re.findall(r"(?:run|entry): ([^,\n]+)", file.read_text(encoding="utf-8"))
    assert steps
    for step in steps:
        if step == "bash .ci/run":
            assert (ROOT / ".ci" / "run").exists()
            continue
        names = re.findall(r"target: \[(.*?)\]", file.read_text(encoding="utf-8"))
        targets = names[0].split(", ") if "matrix.target" in step else [step.removeprefix("make ")]
        assert all(re.search(rf"^{target}:", MAKEFILE, re.MULTILINE) for target in targets), step


def test_the_workflows_stay_short():
    assert {path.stem for path in FILES[:-1]} == {"docs", "release", "test"}
    assert all(len(path.read_text(encoding="utf-8").splitlines()) < 40 for path in FILES)
