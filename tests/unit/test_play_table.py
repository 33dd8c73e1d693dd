"""The table of the terminal: saved before it is told, resumed with the same dice, and told without hidden dice."""

import pytest

from dicewright.cli import sparkline
from dicewright.cli.play.plain import find
from dicewright.cli.play.table import Saver, Setup, Sitting, drawn_seat, seed_of, unfinished
from dicewright.cli.play.told import Adviser, default_opponent
from dicewright.cli.play.widgets import cell_of, rows_of
from dicewright.core.errors import IllegalAction, NotationError, StorageError
from dicewright.families.bluff.rules import Bid
from dicewright.families.catalog import parse
from dicewright.storage.shelf.shelf import Shelf
from dicewright.storage.strategies import parse as strategy

GAMES = [
    ("pig:goal=30", "hold:10"),
    ("pig:goal=30,finish=exact,skip=yes", "hold:10"),
    ("pig:goal=20,one=scores,payoff=difference", "hold:5"),
    ("piglet", "hold:3"),
    ("two-dice-pig:goal=50", "hold:20"),
    ("hog:goal=50", "random"),
    ("bluff:dice=2v2", "call-below:0.3"),
    ("bluff:dice=2v1,spot_on=yes,wild=ones,order=dudo", "random"),
    ("bluff-match:sides=3", "call-below:0.3"),
    ("bluff-match:palifico=yes,spot_on=yes,reward=regain,opens=alternate", "random"),
    ("mia", "truthful"),
    ("liars-die", "random"),
]


def sit(text, opponent, seat=0, seed=1, url="sqlite://", **options):
    game = parse(text)
    setup = Setup(game, opponent, seat, seed_of(seed), **options)
    return Sitting(setup, strategy(opponent, game), Saver(url))


def play_out(table, pick=0.4):
    """Always the action at this share of the list; everything that was told."""
    told = [line for scene in table.scenes() for line in scene.lines]
    while not table.over:
        action = table.actions[int(pick * len(table.actions))]
        told += [line for scene in table.choose(action) for line in scene.lines]
    return told


@pytest.mark.parametrize(("text", "opponent"), GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_whole_games_are_told_in_sentences(text, opponent, seat):
    table = sit(text, opponent, seat)
    told = play_out(table)
    assert told
    assert all(line[0].isupper() and line.endswith((".", "?")) for line in told)
    assert table.result().startswith(("You win", table.teller.other, "Nobody", "A draw"))
    saved = table.keeper.shelf.get(table.setup.id)
    assert saved.record().choices == table.sitting.choices
    assert saved.ended == "over"
    assert saved.tag("ServerSeed") == table.setup.server_seed


@pytest.mark.parametrize(
    ("text", "opponent"), [("bluff:dice=2v2", "random"), ("mia", "random"), ("liars-die", "random")]
)
@pytest.mark.parametrize("seed", range(10))
def test_hidden_dice_are_not_told(text, opponent, seed):
    """The same game with other dice for the opponent is told alike, up to the opponent's first words."""
    table = sit(text, opponent, 0, seed)
    lines = [scene.lines for scene in table.scenes() if scene.by == 1]
    assert all(lines == ("Random rolls in secret.",) for lines in lines)


def test_a_position_says_what_is_needed():
    table = sit("pig:goal=30", "hold:10")
    assert table.teller.position(table.sitting.state) == [
        "You have 0, hold:10 has 0; 30 wins.",
        "A new turn.",
    ]
    bluff = sit("bluff:dice=2v2", "random")
    dice, bid = bluff.teller.position(bluff.sitting.state)
    assert dice.startswith("Your dice: ")
    assert bid == "You bid first."


def test_every_decision_is_on_the_shelf_before_it_is_told(tmp_path):
    url = str(tmp_path / "games.sqlite")
    table = sit("pig:goal=30", "hold:10", url=url)
    for _ in range(4):
        table.choose("roll")
        kept = Shelf.open(url).get(table.setup.id)
        assert kept.record().choices == table.sitting.choices
        assert kept.tag("ServerSeed") is None
        assert kept.secret["seed"] == table.setup.server_seed


def asked_twice(text, opponent, seed):
    """Whether the person has a second decision in this game."""
    table = sit(text, opponent, 1, seed)
    if not table.over:
        table.choose(table.actions[int(0.4 * len(table.actions))])
    return not table.over


@pytest.mark.parametrize(("text", "opponent"), GAMES)
def test_a_resumed_game_goes_on_with_the_same_dice(text, opponent, tmp_path):
    url = str(tmp_path / "games.sqlite")
    seed = next(seed for seed in range(5, 50) if asked_twice(text, opponent, seed))
    whole = sit(text, opponent, 1, seed, url)
    play_out(whole)
    part = sit(text, opponent, 1, seed, url)
    part.choose(part.actions[int(0.4 * len(part.actions))])
    saved = unfinished(Shelf.open(url), None)
    assert saved.id == part.setup.id
    setup = Setup.of(saved)
    assert setup == part.setup
    keeper = Saver(url)
    keeper.saved = saved
    part = Sitting(setup, strategy(opponent, setup.game), keeper, saved.record().choices)
    play_out(part)
    assert not part.keeper.failed
    assert part.sitting.choices == whole.sitting.choices


def test_what_is_resumed_can_be_named(tmp_path):
    url = str(tmp_path / "games.sqlite")
    pig, mia = sit("pig:goal=30", "hold:10", url=url), sit("mia", "truthful", url=url)
    over = sit("pig:goal=30", "hold:10", seed=2, url=url)
    play_out(over)
    shelf = Shelf.open(url)
    assert unfinished(shelf, None).id == mia.setup.id
    assert unfinished(shelf, "pig:goal=30").id == pig.setup.id
    assert unfinished(shelf, pig.setup.id[:8]).id == pig.setup.id
    for which, why in (
        (over.setup.id, "has ended"),
        ("bluff", "no unfinished game of bluff"),
        ("nothing", "no game"),
    ):
        with pytest.raises(StorageError, match=why):
            unfinished(shelf, which)


def test_undo_takes_back_one_decision_and_keeps_the_dice():
    table = sit("pig:goal=30", "hold:10")
    before = table.sitting.choices
    after = [scene.state for scene in table.choose("roll")]
    table.undo()
    assert table.sitting.choices == before
    assert dict(table.record().tags)["Undo"] == "yes"
    assert [scene.state for scene in table.choose("roll")] == after
    with pytest.raises(IllegalAction, match="no decision"):
        sit("pig:goal=30", "hold:10").undo()


def test_a_rated_game_has_no_undo():
    table = sit("pig:goal=30", "hold:10", rated=True)
    table.choose("roll")
    with pytest.raises(IllegalAction, match="rated"):
        table.undo()
    assert dict(table.record().tags)["Rated"] == "yes"


def test_a_failing_shelf_is_said_once_and_play_goes_on(tmp_path):
    broken = tmp_path / "games.sqlite"
    broken.write_text("no database at all, but long enough to be read as one" * 50)
    table = sit("pig:goal=30", "hold:10", url=str(broken))
    said = [table.keeper.take_complaint()]
    while not table.over:
        table.choose(table.actions[0])
        said.append(table.keeper.take_complaint())
    assert said[0].startswith("The game is not saved: ")
    assert said[0].endswith(" You can play on.")
    assert not any(said[1:])
    assert table.keeper.failed
    assert broken.read_text().startswith("no database")


def test_a_shelf_that_recovers_has_the_game(tmp_path, monkeypatch):
    table = sit("pig:goal=30", "hold:10", url=str(tmp_path / "games.sqlite"))
    save = Shelf.go_on

    def full(*_):
        raise StorageError("the disk is full")

    monkeypatch.setattr(Shelf, "go_on", full)
    table.choose("roll")
    assert table.keeper.failed
    monkeypatch.setattr(Shelf, "go_on", save)
    table.choose(table.actions[0])
    assert not table.keeper.failed
    assert table.keeper.shelf.get(table.setup.id).record().choices == table.sitting.choices


def test_seeds_fix_dice_and_seat():
    assert seed_of(7) == seed_of(7) != seed_of(8)
    assert seed_of(None) != seed_of(None)
    assert {drawn_seat(seed_of(number)) for number in range(20)} == {0, 1}


def test_where_solving_takes_long_a_rule_of_thumb_plays():
    assert default_opponent(parse("pig")) == ("optimal", "")
    text, why = default_opponent(parse("bluff:dice=3v3"))
    assert text == "call-below:0.3"
    assert "takes long to solve" in why
    assert default_opponent(parse("bluff-match:dice=3v3"))[0] == "trained"
    assert default_opponent(parse("bluff-match:dice=3v3,wild=none"))[0] == "call-below:0.3"
    assert default_opponent(parse("pig:goal=1000"))[0] == "hold:20"


def test_hints_name_every_action_best_first():
    table, adviser = sit("piglet", "hold:3"), Adviser(parse("piglet"))
    table.choose("roll")
    while len(table.actions) < 2:
        table.choose("roll")
    hint = adviser.hint(table.view)
    assert {action for action, _ in hint} == {"roll", "hold"}
    assert hint[0][1].endswith(" % best")


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("2x5", "2x5"),
        ("two fives", "2x5"),
        ("c", "call"),
        ("call", "call"),
        ("spot on", "spot-on"),
        ("s", "spot-on"),
    ],
)
def test_words_and_short_forms(word, found):
    game = parse("bluff:dice=2v2,spot_on=yes")
    assert find(word, ["1x6", "2x5", "call", "spot-on"], game) == found


def test_words_that_mean_nothing():
    game = parse("mia")
    assert find("ch", ["accept", "challenge"], game) == "challenge"
    assert find("a", ["accept", "challenge"], game) == "accept"
    assert find("6", ["61", "62", "63"], game) is None
    assert find("99", ["61", "62", "63"], game) is None


@pytest.mark.parametrize("width", [38, 60, 78])
@pytest.mark.parametrize(
    "text", ["bluff:dice=5v5", "bluff:dice=5v5,sides=10", "mia", "liars-dice-poker", "hog:dice=20", "pig"]
)
def test_rows_of_choices_hold_every_action_and_fit(text, width):
    game = parse(text)
    table = sit(text, "random")
    cells = [cell_of(game, action, table.view) for action in table.actions]
    rows = rows_of(cells, width)
    assert sorted(cell.label for row in rows for cell in row if cell) == sorted(cell.label for cell in cells)
    for row in rows:
        wide = max(len(cell.label) for cell in row if cell) + 2
        assert wide * len(row) <= width
    if text == "bluff:dice=5v5":
        assert [cell.action.face for cell in rows[0]] == [1, 2, 3, 4, 5, 6]
        assert {cell.action for row in rows for cell in row if cell} >= {Bid(10, 6)}


def test_sparklines():
    assert sparkline([0.5], 10) == "▅"
    assert len(sparkline([0.1 * (n % 10) for n in range(300)], 36)) == 36
    assert sparkline([-3.0, 0.0, 5.0], 10, points=True) == "▁▄█"


def test_a_game_of_the_page_cannot_go_on_here(tmp_path):
    table = sit("pig:goal=30", "hold:10", url=str(tmp_path / "games.sqlite"))
    saved = table.keeper.shelf.get(table.setup.id)
    other = type(saved)(saved.id, saved.game, saved.tags, saved.choices, secret={"tokens": []})
    with pytest.raises(StorageError, match="not played in the terminal"):
        Setup.of(other)
    with pytest.raises(NotationError):
        parse("chess")
