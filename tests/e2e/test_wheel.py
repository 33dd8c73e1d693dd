"""The wheel that is published: built, installed without extras in a new environment, and asked to solve Pig."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests import wheel

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_the_wheel_installs_without_extras_and_solves_pig(tmp_path):
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp_path / "dist", ROOT]
    subprocess.run(build, check=True)
    (made,) = (tmp_path / "dist").glob("*.whl")
    wheel.check(made, tmp_path)
