"""Strategies of files by `file:`, everywhere; tables that are exported are strategies again."""

import numpy as np
import pytest

import dicewright as dw
from dicewright.core.errors import DicewrightError, NotationError, StorageError, StrategyError, TooLarge
from dicewright.families.catalog import parse
from dicewright.families.race.tabled import tabulate
from dicewright.web.rooms.views import check_opponent

SMALL = parse("pig:goal=15")
RULE = "def strategy(mine, yours, turn):\n    return turn < 5\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rule.py").write_text(RULE)
    (tmp_path / "rule.txt").write_text("# hold at five\nturn < 5\n")
    (tmp_path / "bluff.txt").write_text("chance < 0.3  # call-below:0.3\n")
    return tmp_path


def test_a_file_is_the_rule_it_holds_and_names_its_bytes(files):
    by_python, by_text = (dw.strategy(f"file:rule.{kind}", SMALL) for kind in ("py", "txt"))
    hold = tabulate(SMALL, dw.strategy("hold:5", SMALL))
    assert tabulate(SMALL, by_python).same_choices(hold)
    assert tabulate(SMALL, by_text).same_choices(hold)
    assert str(by_text) == "expr:turn < 5"
    line = str(by_python)
    assert line.startswith("file:rule.py#")
    assert str(dw.strategy(line, SMALL)) == line
    (files / "rule.py").write_text(RULE.replace("5", "6"))
    with pytest.raises(StrategyError, match=r"rule.py has changed: #.* was asked, #.* it is"):
        dw.strategy(line, SMALL)


def test_files_enter_wherever_a_strategy_is_asked_for(files):
    assert dw.evaluate(SMALL, "file:rule.py", "file:rule.txt").a_overall == pytest.approx(0.5)
    names = [
        entrant.name for entrant in dw.gather(SMALL, ["file:rule.txt", "best-response:file:rule.py"]).entrants
    ]
    assert names == ["expr:turn < 5", "best-response:file:rule.py"]
    assert dw.evaluate("bluff:sides=3", "file:bluff.txt", "random") == dw.evaluate(
        "bluff:sides=3", "call-below:0.3", "random"
    )
    assert dw.play_game(SMALL, "file:rule.txt", rolls=["+6", "+6", "+6", "+6", "+6"]).payoff == 1.0


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        ("file:none.py", StorageError, "cannot read none.py"),
        ("file:rule.md", StrategyError, "rule.md: its name ends in '.md'; .csv, .npz, .txt, .py are allowed"),
        ("file:bluff.txt", StrategyError, "bluff.txt: 'chance' at letter 1 is not allowed"),
        ("file:bad.py", StrategyError, "bad.py: it defines no function strategy"),
        ("file:bare", StrategyError, "bare: its name has no ending; .csv, .npz, .txt, .py are allowed"),
        ("file:torn.py", StrategyError, "torn.py: it is no Python: invalid syntax in line 2"),
        ("file:", StorageError, "cannot read"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_name(files, text, error, reason):
    (files / "rule.md").write_text("turn < 5")
    (files / "bad.py").write_text("x = 1")
    (files / "bare").write_text("turn < 5")
    (files / "torn.py").write_text("def strategy(mine, yours, turn):\n    return turn <\n")
    with pytest.raises(error, match=reason):
        dw.strategy(text, SMALL)


def test_python_is_for_race_games(files):
    with pytest.raises(StrategyError, match=r"rule.py: its name ends in '.py'; .csv, .npz, .txt are allowed"):
        dw.strategy("file:rule.py", "bluff")


@pytest.mark.parametrize(
    "text", ["file:rule.py", "table:rule.csv", "file:/etc/passwd", "best-response:file:rule.py"]
)
@pytest.mark.parametrize("game", ["pig", "bluff", "mia"])
def test_no_stranger_has_a_file_read(files, game, text):
    with pytest.raises(NotationError, match=r"unknown strategy '(file|table|best-response)'; allowed are"):
        check_opponent(parse(game), text)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("pig:goal=12", "optimal"),
        ("pig:goal=12,skip=yes", "roll-and-wait:target=8"),
        ("pig:goal=12", "noisy:precision=5"),
        ("hog:goal=12,dice=3", "optimal"),
        ("hog:goal=12,dice=3", "random"),
        ("bluff:sides=3", "optimal"),
        ("bluff:dice=1v2,sides=2,spot_on=yes", "random"),
        ("bluff:order=fixed,sides=3", "expr:1 - chance"),
        ("liars-die", "optimal"),
        ("mia", "expr:chance < 0.2; call > roll"),
    ],
)
def test_a_table_that_is_exported_is_the_strategy_again(files, game, text):
    rows = dw.export_strategy(game, text, files / "table.csv")
    again = dw.strategy("file:table.csv", game)
    met, before = dw.evaluate(game, again, "random"), dw.evaluate(game, text, "random")
    assert met.a_first.payoff == pytest.approx(before.a_first.payoff, abs=1e-12)
    assert met.b_first.payoff == pytest.approx(before.b_first.payoff, abs=1e-12)
    table = dw.strategy_table(game, again)
    assert len(table["action"]) == rows


def test_arrays_and_parquet_hold_the_same_rows(files):
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = dw.strategy_table(SMALL, "noisy")
    for name in ("table.npy", "table.parquet"):
        dw.export_strategy(SMALL, "noisy", files / name)
    rows, columns = np.load(files / "table.npy"), parquet.read_table(files / "table.parquet")
    assert list(rows.dtype.names) == columns.column_names == ["mine", "yours", "turn", "action", "chance"]
    for name in table:
        assert rows[name].tolist() == columns[name].to_pylist() == table[name].tolist()
    state = rows[(rows["mine"] == 3) & (rows["yours"] == 4) & (rows["turn"] == 5)]
    assert state["chance"].sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("game", "text", "error", "reason"),
    [
        (
            "pig:goal=12",
            "four-scoring-turns",
            StrategyError,
            "remembers; tables are of strategies that do not",
        ),
        ("pig:goal=12", "expr:turn < last", StrategyError, "simulate plays games with it"),
        ("bluff:dice=2v2", "truthful", TooLarge, r"has 352,321,536 views; tables of up to 300,000 are made"),
        ("mia:keep=yes", lambda view: {}, DicewrightError, "dice may be kept"),
        (
            "bluff-match:dice=2v1,sides=2",
            "truthful",
            DicewrightError,
            "tables are of strategies for race, bluff",
        ),
    ],
)
def test_what_has_no_table_is_refused(game, text, error, reason):
    with pytest.raises(error, match=reason):
        dw.strategy_table(game, text)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("view,action,chance", "view,action", "line 1 is 'view,action'; view,action,chance is allowed"),
        ("1 |,1x1,", "1 |,9x9,", "line 2 is '1 |,9x9,.*no bid, call or roll"),
        ("1 |,1x1,", "1 |,1x2,", "line 3 is '1 |,1x2,.*stands twice"),
        ("1 |,1x1,0.5\n", "1 |,1x1,0.4\n", "chances that sum to 0.9"),
        ("1 |,1x1,0.5\n1 |,1x2,0.5\n", "", "says nothing of 1 |, which can occur"),
        ("1 |,1x1,0.5", "1 |,1x1,much", "line 2 .*could not convert"),
    ],
)
def test_a_table_of_views_is_checked_line_by_line(files, old, new, reason):
    game = "bluff:sides=2"
    dw.export_strategy(game, "random", files / "table.csv")
    text = (files / "table.csv").read_text().replace("0.25", "0.5")
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(("1 |,2x", "2 |,2x"))]
    whole = "".join(kept)
    assert old in whole
    (files / "table.csv").write_text(whole.replace(old, new, 1))
    with pytest.raises(StrategyError, match=reason):
        dw.strategy("file:table.csv", game)


def test_chances_of_a_race_table_are_checked(files):
    dw.export_strategy("pig:goal=3", "random", files / "table.csv")
    text = (files / "table.csv").read_text()
    for new, reason in (
        ("0.4", "sum to 0.9 at 0-0.1; 1 is allowed"),
        ("1.5", "line 2 .*chances from 0 to 1"),
    ):
        (files / "table.csv").write_text(text.replace("0.5", new, 1))
        with pytest.raises(StrategyError, match=reason):
            dw.strategy("file:table.csv", "pig:goal=3")
