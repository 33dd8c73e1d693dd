"""A stranger's text on the terminal: one printable line, whatever it holds."""

import io
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

import dicewright
from dicewright import cli as show
from dicewright.core.errors import MOST_SHOWN, shown

CLI = Path(dicewright.__file__).parent / "cli"
EVIL = {
    "an escape code": ("\x1b[31mred", r"\x1b[31mred"),
    "an escape code of one byte": ("\x9b31mred", r"\x9b31mred"),
    "a forged line": ("a\nrefused b.py: cheated", r"a\nrefused b.py: cheated"),
    "a line overwritten": ("a\rb", r"a\rb"),
    "other ends of a line": ("a\u2028b\u2029c\x0bd\x85e", r"a\u2028b\u2029c\x0bd\x85e"),
    "letters turned round": ("a\u202egnp.exe\u2066", r"a\u202egnp.exe\u2066"),
    "half a letter": ("\ud800", r"\ud800"),
    "a byte that was no letter": ("caf\udce9", r"caf\udce9"),
    "letters nobody sees": ("a\u200b\ufeff\U000e0041", r"a\u200b\ufeff\U000e0041"),
    "a bell and a deletion": ("\a\b\x7f", r"\x07\x08\x7f"),
}


@pytest.mark.parametrize("what", EVIL)
def test_what_could_command_the_terminal_is_shown_as_an_escape(what):
    text, expected = EVIL[what]
    assert shown(text) == expected


@pytest.mark.parametrize("text", ["Zoë", "名前 😀", "می‌خواهم", "👩‍👧", "[red]a[/red] :smile:", r"C:\new", ""])
def test_words_of_any_language_are_shown_as_they_are(text):
    assert shown(text) == text


def test_spaces_of_other_widths_are_spaces():
    assert shown("a\u00a0b\u3000c") == "a b c"


@given(st.text(st.characters(exclude_categories=[])), st.integers(1, 40))
def test_any_text_is_one_bounded_printable_line(text, most):
    found = shown(text, most)
    assert len(found) <= most
    found.encode("utf-8")
    assert not {unicodedata.category(sign) for sign in found} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert shown(found, most) == found


def test_a_long_text_is_cut_and_says_so():
    assert shown("x" * 10**6) == "x" * (MOST_SHOWN - 1) + "…"


def _line(text):
    show.out.print(f"said {text}")


def _rows(text):
    show.rows(text, [text], [[text]])


def _lines(text):
    show.lines(text, ["a", text], [["b", text]], short=(1,))


@pytest.mark.parametrize("way", [_line, _rows, _lines])
@pytest.mark.parametrize("what", [*EVIL, "markup"])
def test_every_way_to_print_shows_it(what, way, capsys):
    text, expected = EVIL.get(what, ("[red]a[/red] :smile: [/x]",) * 2)
    way(text)
    printed = capsys.readouterr().out
    assert expected in printed
    assert all(sign == "\n" or sign.isprintable() for sign in printed)


def test_markup_is_for_those_who_ask(capsys):
    show.out.print("[bold]a[/bold]", markup=True)
    table = Table("head")
    table.add_row("[bold]cell[/bold]")
    show.out.print(table)
    printed = capsys.readouterr().out
    assert "[bold]a" not in printed
    assert "[bold]cell[/bold]" in printed


@pytest.mark.parametrize("what", EVIL)
def test_a_document_says_it_whole_in_printable_letters(what, capsys):
    text = EVIL[what][0]
    show.document({text: [text, 1.5]})
    printed = capsys.readouterr().out
    assert all(sign == "\n" or sign.isprintable() for sign in printed)
    assert json.loads(printed) == {text: [text, 1.5]}


def test_letters_beyond_the_first_plane_survive_a_document(capsys):
    show.document(["\U000e0041", "😀"])
    printed = capsys.readouterr().out
    assert json.loads(printed) == ["\U000e0041", "😀"]
    assert "😀" in printed


def test_progress_is_shown_as_it_is(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(show, "err", show.Terminal(file=stream, force_terminal=True, width=200))
    with show.working("[red]begin[/red]", quiet=False) as progress:
        assert progress is not None
        progress("reading [red]\x1b[2Ja\n.py")
    assert r"reading [red]\x1b[2Ja\n.py" in stream.getvalue()


def test_one_terminal_prints_for_all_commands():
    for module in CLI.glob("*.py"):
        if module.name != "__init__.py":
            assert "Console(" not in module.read_text(encoding="utf-8"), module.name
