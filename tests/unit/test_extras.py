"""The hint that installs an extra names its packages, for ours is on no index."""

import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from dicewright.cli.commands.serve import check_installed
from dicewright.core.errors import DicewrightError, how_to_install

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("extra", ["plots", "web", "people", "cluster", "crowd"])
def test_the_hint_names_the_packages_of_the_extra(extra):
    packages = PROJECT["optional-dependencies"][extra]
    assert how_to_install(extra) == " ".join(["pip install", *(f'"{package}"' for package in packages)])


@pytest.mark.parametrize("mark", ["extra == 'web'", 'extra == "web"', "extra=='web'"])
def test_the_hint_reads_what_any_builder_writes(monkeypatch, mark):
    other = f"four; (os_name != 'nt') and {mark}"
    lines = ["numpy>=1", f"one[more]>=2,<3; {mark}", f"two ; {mark}", other, "three; extra == 'webs'"]
    monkeypatch.setattr(metadata, "requires", lambda name: lines)
    assert how_to_install("web") == """pip install "one[more]>=2,<3" "two" "four; os_name != 'nt'\""""


def test_a_package_that_was_never_installed_is_installed_from_its_folder(monkeypatch):
    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", absent)
    assert how_to_install("web") == 'pip install ".[web]" in the folder of dicewright'


def test_the_page_is_refused_where_it_cannot_be_served(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(DicewrightError, match="served on Linux and macOS; on Windows, serve it from WSL"):
        check_installed()
