"""Rules and choices in words, over the whole catalog and its variants."""

import re
from fractions import Fraction
from functools import cache

import pytest

from dicewright.core.game import CHANCE, OVER
from dicewright.core.notation import fields
from dicewright.families import family
from dicewright.families.catalog import GAMES, parse
from dicewright.families.menu import EVERYWHERE, FIELDS
from dicewright.families.race.rules import BUST, RaceGame, add, bank, roll_of

VARIANTS = [
    "pig",
    "pig:goal=50,finish=exact",
    "pig:payoff=margin",
    "pig:payoff=difference,one=scores",
    "pig:skip=yes",
    "piglet",
    "piglet:skip=yes",
    "two-dice-pig",
    "two-dice-pig:ones=bust",
    "big-pig",
    "hog",
    "hog:dice=1",
    "hog:dice=3",
    "pass-the-pigs",
    "bluff",
    "bluff:dice=2v1",
    "bluff:wild=none",
    "bluff:wild=ones,order=dudo",
    "bluff:order=dudo",
    "bluff:order=quantity",
    "bluff:order=fixed",
    "bluff:spot_on=yes",
    "bluff:wild_opens=no",
    "bluff:wild_bids=no",
    "bluff:sides=2,wild=ones",
    "bluff:sides=10,dice=5v5",
    "bluff-match",
    "bluff-match:loss=difference",
    "bluff-match:loss=give",
    "bluff-match:opens=winner",
    "bluff-match:opens=alternate",
    "bluff-match:spot_on=yes,reward=regain",
    "bluff-match:palifico=yes",
    "mia",
    "mia:truth=exactly",
    "mia:below=no",
    "mia:keep=yes",
    "mia:sides=12",
    "liars-die",
    "liars-die:truth=at-least",
    "liars-die:sides=20",
    "liars-dice-poker",
    "liars-dice-poker:kickers=no",
    "liars-dice-poker:dice=1",
    "kuhn-poker",
    "rock-paper-scissors",
    "textbook-tree",
]


@cache
def rules(text):
    return " ".join(family(parse(text)).rules(parse(text)))


@pytest.mark.parametrize("text", [*GAMES, *VARIANTS])
def test_every_game_is_told_in_a_few_short_sentences(text):
    game = parse(text)
    lines = family(game).rules(game)
    assert 2 <= len(lines) <= 11
    for line in lines:
        assert re.fullmatch(r"[A-Z].*\.", line), line
        assert len(line) <= 150
        assert not re.search(r"\b(None|True|False|_|  )\b", line)
    assert re.fullmatch(r"[A-Z][^:=_]*", family(game).title(game))


@pytest.mark.parametrize("text", VARIANTS)
def test_no_two_variants_have_the_same_rules(text):
    assert [other for other in VARIANTS if rules(other) == rules(text)] == [text]


@pytest.mark.parametrize("text", VARIANTS)
def test_every_choice_within_reach_has_words(text):
    """Along one line of play; in Bluff and calling games a bid is said, never a bare number."""
    game = parse(text)
    state = game.start()
    for _ in range(40):
        mover = game.mover(state)
        if mover == OVER:
            break
        choices = [*game.outcomes(state)] if mover == CHANCE else [*game.actions(game.view(state, mover))]
        for choice in choices:
            assert family(game).say(game, choice).strip()
            assert all(isinstance(face, int) for face in family(game).faces(game, choice))
        if mover == CHANCE:
            said = [family(game).say(game, choice) for choice in choices]
            assert len(set(said)) == len(said)
        state = game.play(state, choices[len(choices) // 2])


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("pig", "Pig to 100"),
        ("pig:goal=50,finish=exact", "Pig to 50, exactly"),
        ("bluff:dice=2v2", "Bluff, two dice each"),
        ("bluff:dice=2v1,sides=3", "Bluff, two dice against one, three sides"),
        ("bluff-match:wild=ones", "Bluff match, two dice each, ones wild"),
        ("mia", "Mia"),
        ("mia:keep=yes", "Mia, dice may be kept"),
        ("liars-die:sides=10", "Liar’s Die, ten ranks"),
    ],
)
def test_titles(text, title):
    assert family(parse(text)).title(parse(text)) == title


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pig", "A one loses the turn total and ends your turn."),
        ("pig", "You must roll at least once."),
        ("pig:goal=50", "The first with 50 points or more wins."),
        ("pig:goal=50,finish=exact", "The first with exactly 50 points wins."),
        ("pig:goal=50,finish=exact", "A roll that would carry you beyond 50 loses the turn total"),
        ("pig:payoff=margin", "as many points as the other lacks to 100"),
        ("pig:payoff=difference", "the difference of the final scores"),
        ("pig:one=scores", "A one loses the turn total, scores one point, and ends your turn."),
        ("pig:skip=yes", "You may also hold without rolling"),
        ("piglet", "heads adds one point to your turn total; tails loses the turn total"),
        ("two-dice-pig", "two ones lose your whole score"),
        ("two-dice-pig:ones=bust", "two ones lose no more than that"),
        ("big-pig", "Doubles count twice, but two ones add 25."),
        ("hog", "up to ten: their sum is added to your score at once. But if any of them shows a one"),
        ("pass-the-pigs", "A roll adds 1 to 60 points. About one roll in five loses the turn total"),
        ("bluff:dice=2v1", "The first player has two dice, the second has one"),
        ("bluff", "Sixes are wild"),
        ("bluff:wild=ones", "Ones are wild"),
        ("bluff:order=quantity", "a higher face, or more dice of the same face"),
        ("bluff:order=dudo,wild=ones", "a single one comes just before two twos"),
        ("bluff:order=dudo", "one six comes just before two ones"),
        ("bluff:order=fixed", "The face of the first bid stays"),
        ("bluff:spot_on=yes", "you win if there are exactly as many"),
        ("bluff:wild_opens=no", "The first bid may not be on sixes."),
        ("bluff:wild_bids=no", "Nobody may bid on sixes."),
        ("bluff-match", "The loser of a round loses one die. The loser of a round bids first in the next."),
        ("bluff-match:loss=difference", "as many dice as the bid was off, at least one"),
        ("bluff-match:loss=give", "gives one die to the winner"),
        ("bluff-match:opens=winner", "The winner of a round bids first in the next."),
        ("bluff-match:opens=alternate", "take turns to bid first"),
        ("bluff-match:spot_on=yes,reward=regain", "also gets a lost die back"),
        ("bluff-match:palifico=yes", "falls to one die for the first time"),
        ("mia", "the caller wins if they are what was called or higher"),
        ("mia", "From low to high: 31, 32, 41, ..., 44, 55, 66, 21."),
        ("mia:truth=exactly", "the caller wins if they are exactly what was called"),
        ("mia:below=no", "never less"),
        ("mia:keep=yes", "chooses which to roll again"),
        ("liars-die", "Nothing beats 6: whoever accepts it loses."),
    ],
)
def test_rules_say(text, said):
    assert said in rules(text)


def test_absent_rules_are_not_mentioned():
    for word in ("wild", "spot on"):
        assert word not in rules("bluff:wild=none")
    assert "without rolling" not in rules("pig")
    assert "whole score" not in rules("two-dice-pig:ones=bust")
    assert "Hold" not in rules("hog")


@pytest.mark.parametrize(
    ("text", "choice", "said", "faces"),
    [
        ("pig", "roll", "roll", ()),
        ("pig", "hold", "hold", ()),
        ("pig", "+5", "a five: +5", (5,)),
        ("pig", "bust", "a one: the turn is lost", (1,)),
        ("pig:one=scores", "bank1", "a one: 1 point is banked, the turn total is lost", (1,)),
        ("piglet", "+1", "heads: +1", ()),
        ("piglet", "bust", "tails: the turn is lost", ()),
        ("two-dice-pig", "+7", "+7", ()),
        ("two-dice-pig", "ruin", "two ones: the whole score is lost", ()),
        ("hog", "3", "roll three dice", ()),
        ("hog", "bank12", "12 points are banked", ()),
        ("hog", "bust", "a one: no points", ()),
        ("bluff:dice=2v2", "2x5", "two fives", ()),
        ("bluff:dice=2v2", "1x6", "one six", ()),
        ("bluff:dice=2v2", "3x6", "three sixes", ()),
        ("bluff:dice=2v2", "5,5", "two fives", (5, 5)),
        ("bluff-match", "1,6", "a one and a six", (1, 6)),
        ("bluff:spot_on=yes", "spot-on", "spot on", ()),
        ("mia", "63", "63", (6, 3)),
        ("mia:sides=12", "12-3", "12-3", (12, 3)),
        ("mia", "accept", "accept", ()),
        ("mia:keep=yes", "keep6", "keep 6", ()),
        ("mia:keep=yes", "keep", "keep nothing, roll both dice", ()),
        ("liars-die:sides=20", "14", "14", (14,)),
        ("liars-dice-poker", "55533", "55533", (5, 5, 5, 3, 3)),
        ("liars-dice-poker:kickers=no", "55", "55", ()),
        ("kuhn-poker", "fold", "fold", ()),
    ],
)
def test_say_and_faces(text, choice, said, faces):
    game = parse(text)
    assert family(game).say(game, game.read_choice(choice)) == said
    assert family(game).faces(game, game.read_choice(choice)) == faces


def test_a_race_of_ones_own_is_told_from_its_table():
    four = RaceGame("my-race", 20, (("roll", roll_of({add(1): 1, add(2): 1, add(3): 1, bank(7): 1})),))
    assert family(four).rules(four)[:2] == (
        "Roll a die with four sides as often as you like: 1 to 3 add their number to your turn total.",
        "A four loses the turn total, scores seven points, and ends your turn.",
    )
    odd = RaceGame(
        "odd", 20, (("low", roll_of({add(3): 2, BUST: 1})), ("high", roll_of({add(9): 1, BUST: 3})))
    )
    said = " ".join(family(odd).rules(odd))
    assert "Roll low adds 3 points. One roll in three loses the turn total" in said
    assert "About 75 rolls in 100" in said
    assert sum((chance for chance, _, _ in odd.rolls[1][1]), Fraction(0)) == 1


@pytest.mark.parametrize(
    ("text", "view", "action", "said"),
    [
        ("pig", "34-27+12", "roll", "rolling again with 12 points at stake at 34 to 27"),
        ("piglet:goal=50", "34-27+1", "hold", "holding 1 point at 34 to 27"),
        ("pig:skip=yes", "34-27", "hold", "holding at once at 34 to 27"),
        ("hog", "3-4", "3", "rolling three dice at 3 to 4"),
        ("bluff:dice=2v2", "2,5 |", "2x5", "bidding two fives with a two and a five, opening"),
        ("bluff:dice=2v2", "2,5 | 1x3", "2x5", "bidding two fives with a two and a five, after one three"),
        ("bluff:dice=2v2", "2,5 | 1x3", "call", "calling one three with a two and a five"),
        (
            "bluff:dice=2v2,spot_on=yes",
            "2,5 | 1x3",
            "spot-on",
            "saying spot on to one three with a two and a five",
        ),
        ("bluff-match", "2,5 |", "1x5", "bidding one five with a two and a five, opening"),
        ("mia", "called 64", "challenge", "challenging 64"),
        ("mia", "accepted 53, called 64", "accept", "accepting 64 after 53 had been accepted"),
        ("mia", "accepted 53, rolled 43", "64", "calling 64 with 43 under the cup, after 53"),
        ("mia:keep=yes", "accepted 53, seen 61", "keep6", "keeping 6 of 61 after 53 had been accepted"),
    ],
)
def test_a_decision_is_told_with_its_place(text, view, action, said):
    game = parse(text)
    assert family(game).decision(game, game.read_view(view), game.read_choice(action)) == said


@pytest.mark.parametrize(
    ("text", "view", "said"),
    [
        ("pig", "34-27+12", "own score 34, the other’s 27, turn total 12"),
        ("bluff:dice=2v2", "2,5 | 1x3", "a two and a five; after one three"),
        ("bluff-match", "2,5 |", "a two and a five; opening"),
        ("mia", "accepted 53, called 64", "64 called; 53 accepted"),
        ("mia:keep=yes", "accepted 53, kept 6, rolled 63", "rolled 63; 6 kept; 53 accepted"),
        ("mia", "start", "nothing called yet"),
    ],
)
def test_what_a_player_saw_is_told(text, view, said):
    game = parse(text)
    assert family(game).seen(game, game.read_view(view)) == said


@pytest.mark.parametrize("name", [name for name, build in GAMES.items() if family(build()).at_table])
def test_every_field_and_player_has_words(name):
    menu = family(GAMES[name]()).menu
    assert menu.about[name]
    said = {*menu.fields, *FIELDS}
    assert [field.name for field in fields(GAMES[name]) if field.name not in said] == []
    known = {text.partition(":")[0] for text in {**EVERYWHERE, **menu.players}}
    assert set(family(GAMES[name]()).strategies(GAMES[name]())) - known <= {"skip-when-equal"}
