"""A wheel installed without extras in a new environment: it solves Pig there. `python -m tests.wheel FILE.whl`."""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

MOST = 80_000_000  # bytes of a wheel
PROGRAM = """
import dicewright as dw
solved = dw.solve("pig", fresh=True)
assert abs(solved.certificate.value - 0.06118545) < 1e-8, solved
assert dw.solve("bluff").certificate.exact is not None  # came with the package
"""


def install(wheel: Path, folder: Path) -> Path:
    """The interpreter of a new environment that has the wheel and what it needs."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True)
    return python


def check(wheel: Path, folder: Path) -> None:
    """AssertionError or CalledProcessError unless the wheel does what it should."""
    assert wheel.stat().st_size < MOST, wheel.stat().st_size
    python = install(wheel.resolve(), folder / "venv")
    place = {**os.environ, "DICEWRIGHT_STORE": str(folder / "store")}
    place.pop("PYTHONPATH", None)
    subprocess.run([python, "-I", "-c", PROGRAM], check=True, cwd=folder, env=place)
    told = [python.with_name("dicewright"), "value", "pig"]
    printed = subprocess.run(told, check=True, cwd=folder, env=place, capture_output=True, text=True).stdout
    assert "first wins  53.0592725274 %" in printed, printed


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        check(Path(sys.argv[1]), Path(temporary))
    print("the wheel solves Pig in a new environment")
