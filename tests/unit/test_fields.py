"""What a game or a strategy is made of is what its fields say, or is refused: nothing is half understood."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dicewright.core.errors import DicewrightError, NotationError, RulesError
from dicewright.core.notation import fields
from dicewright.families.bluff.match import BluffMatch
from dicewright.families.bluff.rules import Bluff
from dicewright.families.bluff.strategies import CallBelow
from dicewright.families.calling.cups import liars_dice_poker, liars_die, mia
from dicewright.families.calling.rules import CallingGame
from dicewright.families.calling.strategies import MatrixAgent, TreeAgent
from dicewright.families.catalog import GAMES, parse, strategy
from dicewright.families.race.named import big_pig, hog, pig, piglet, two_dice_pig
from dicewright.families.race.strategies import EndRace, HoldAt, KeepPace, RollAndWait, ScoringTurns, Turtle

HALVES = (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize(
    ("made", "meant"),
    [
        (lambda: pig(goal=np.int64(50)), "pig:goal=50"),
        (lambda: pig(skip=np.True_), "pig:skip=yes"),
        (lambda: pig(skip=0), "pig"),
        (lambda: Bluff(dice=[2, 1]), "bluff:dice=2v1"),
        (lambda: Bluff(dice=(np.int64(2), np.int8(1))), "bluff:dice=2v1"),
        (lambda: Bluff(wild=np.str_("ones")), "bluff:wild=ones"),
        (lambda: BluffMatch(dice=[2, 1], sides=np.int32(3)), "bluff-match:dice=2v1,sides=3"),
        (lambda: mia(sides=np.int64(4), keep=np.True_), "mia:sides=4,keep=yes"),
    ],
)
def test_what_is_meant_without_doubt_is_taken(made, meant):
    game = made()
    assert game == parse(meant)
    assert hash(game) == hash(parse(meant))
    assert game.name == meant
    assert repr(game) == repr(parse(meant))


@pytest.mark.parametrize(
    ("build", "fields"),
    [
        (pig, {"goal": 50.0}),
        (pig, {"goal": "50"}),
        (pig, {"goal": True}),
        (pig, {"goal": Fraction(50)}),
        (pig, {"goal": None}),
        (pig, {"one": "score"}),
        (pig, {"one": None}),
        (pig, {"skip": "no"}),
        (pig, {"skip": 2}),
        (pig, {"payoff": "wins"}),
        (pig, {"finish": ["exact"]}),
        (piglet, {"skip": ""}),
        (two_dice_pig, {"ones": "busts"}),
        (big_pig, {"goal": 99.5}),
        (hog, {"dice": 2.0}),
        (hog, {"dice": True}),
        (hog, {"dice": "2"}),
        (liars_die, {"sides": 6.0}),
        (liars_die, {"truth": "at least"}),
        (liars_die, {"below": "no"}),
        (mia, {"keep": "no"}),
        (liars_dice_poker, {"kickers": "no"}),
        (liars_dice_poker, {"dice": 3.0}),
        (Bluff, {"dice": (1.0, 1)}),
        (Bluff, {"dice": (True, 1)}),
        (Bluff, {"dice": (1, 1, 1)}),
        (Bluff, {"dice": (1,)}),
        (Bluff, {"dice": 2}),
        (Bluff, {"dice": "11"}),
        (Bluff, {"dice": "1v1"}),
        (Bluff, {"dice": None}),
        (Bluff, {"dice": (12, 1)}),
        (Bluff, {"dice": (-1, 1)}),
        (Bluff, {"sides": 6.0}),
        (Bluff, {"sides": "6"}),
        (Bluff, {"wild": None}),
        (Bluff, {"wild": "one"}),
        (Bluff, {"wild": 1}),
        (Bluff, {"wild": ["high"]}),
        (Bluff, {"order": "faces"}),
        (Bluff, {"spot_on": "no"}),
        (Bluff, {"wild_bids": "yes"}),
        (Bluff, {"wild_opens": None}),
        (BluffMatch, {"palifico": "no"}),
        (BluffMatch, {"spot_on": "no"}),
        (BluffMatch, {"loss": "two"}),
        (BluffMatch, {"opens": None}),
        (BluffMatch, {"reward": "regained"}),
        (BluffMatch, {"dice": (2, 2.0)}),
        (BluffMatch, {"dice": [2]}),
    ],
)
def test_half_understood_fields_of_games_are_refused(build, fields):
    with pytest.raises(RulesError) as caught:
        build(**fields)
    (field,) = fields
    assert str(caught.value).startswith((f"{field} is ", "a player has "))
    assert str(caught.value).endswith(" is allowed")


@pytest.mark.parametrize(
    "fields",
    [
        {"labels": "ab"},
        {"labels": ("a", 1)},
        {"labels": None},
        {"labels": {"a", "b"}},
        {"chances": (0.5, 0.5)},
        {"chances": ("1/2", "1/2")},
        {"chances": (True, False)},
        {"chances": None},
        {"chances": (Fraction(3, 2), Fraction(-1, 2))},
        {"truth": "exact"},
        {"below": "no"},
        {"name": None},
    ],
)
def test_half_understood_fields_of_calling_games_are_refused(fields):
    with pytest.raises(RulesError):
        CallingGame(**{"name": "two", "labels": ("a", "b"), "chances": HALVES, **fields})


def test_lists_of_ranks_are_taken():
    listed = CallingGame("two", ["a", "b"], list(HALVES))
    assert listed == CallingGame("two", ("a", "b"), HALVES)
    assert {listed: 1}
    assert CallingGame("one", ["a"], [1]).chances == (Fraction(1),)


def test_dice_are_kept_only_of_two_equal_dice():
    """A kept die's partner is rolled with equal chances, so other ranks would be another game."""
    assert replace(mia(sides=3), keep=True) == replace(mia(sides=3, keep=True), name="mia:sides=3")
    loaded = CallingGame("loaded", ("21", "11", "22"), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))
    short = CallingGame("short", ("11", "22"), HALVES)
    for pair in (loaded, short, liars_die()):
        with pytest.raises(RulesError, match="are not the rolls of two equal dice"):
            replace(pair, keep=True)
    with pytest.raises(RulesError, match="yes or no is allowed"):
        replace(mia(sides=3), keep="yes")


@pytest.mark.parametrize(
    "make",
    [
        lambda: HoldAt(20.5),
        lambda: HoldAt(20.0),
        lambda: HoldAt("20"),
        lambda: HoldAt(True),
        lambda: HoldAt(None),
        lambda: Turtle(n=5.5),
        lambda: RollAndWait(target="80"),
        lambda: KeepPace(share=0.5),
        lambda: KeepPace(base=float("nan")),
        lambda: EndRace(hold=21.5),
        lambda: ScoringTurns(pig(), turns=4.0),
        lambda: CallBelow(Bluff(), "0.5"),
        lambda: CallBelow(Bluff(), None),
        lambda: CallBelow(Bluff(), float("nan")),
        lambda: CallBelow(Bluff(), True),
        lambda: TreeAgent(liars_die(), reading="equation"),
        lambda: MatrixAgent(liars_die(), top="no"),
        lambda: MatrixAgent(liars_die(), highest="entries"),
    ],
)
def test_half_understood_fields_of_strategies_are_refused(make):
    with pytest.raises(RulesError):
        make()


def test_numbers_of_numpy_are_numbers_of_strategies():
    assert HoldAt(np.int64(20)) == HoldAt(20)
    assert str(HoldAt(np.int64(20))) == "hold:20"
    assert str(CallBelow(Bluff(), np.float32(0.5))) == "call-below:0.5"
    assert str(CallBelow(Bluff(), Fraction(1, 4))) == "call-below:0.25"
    assert str(CallBelow(Bluff(), 1)) == "call-below:1"


@pytest.mark.parametrize("text", ["pig:goal= 50", " pig:goal=50 ", "pig: goal = 50", "pig:goal=050"])
def test_text_read_exactly(text):
    assert parse(text) == pig(goal=50)


@pytest.mark.parametrize(
    "text",
    [
        *("pig:goal=1e2", "pig:goal=+50", "pig:goal=５０", "pig:goal=٥٠", "pig:goal=5_0", "pig:goal=50.0"),
        *(
            "pig:goal=0x32",
            "pig:goal=5 0",
            "pig:goal=--50",
            "pig:goal=50,goal=50",
            "pig:gaol=50",
            "pig:skip=YES",
        ),
        *("bluff:dice=２v１", "bluff:dice=2V1", "bluff:dice=2v", "bluff:dice=2v1v1", "bluff:dice=+2v1"),
        *("bluff:sides=６", "bluff:sides=4,sides=4"),
        *("liars_dice(numdice=1,numdice=2)", "liars_dice(numdice=２)", "liars_dice(numdice=+1)"),
        *("liars_dice(numdice)", "liars_dice(dice=2)", "liars_dice(numdice=2", "liars_dice(numdice=1,)"),
    ],
)
def test_text_half_understood_is_refused(text):
    with pytest.raises(NotationError):
        parse(text)


@pytest.mark.parametrize(
    "text", ["call-below:0_1", "call-below:٠.٥", "call-below:half", "call-below:nan", "call-below:0.5,p=0.5"]
)
def test_chances_half_understood_are_refused(text):
    with pytest.raises(DicewrightError) as caught:
        strategy(text, Bluff())
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("text", ["０-0", "1-２", "1-2+３"])
def test_scores_in_other_digits_are_refused(text):
    with pytest.raises(NotationError):
        pig().read_view(text)


@pytest.mark.parametrize("text", ["５,5 | ", "５ |", "1 | ２x5"])
def test_dice_in_other_digits_are_refused(text):
    with pytest.raises(NotationError):
        Bluff().read_view(text)
    with pytest.raises(NotationError):
        Bluff().read_choice("５")
    with pytest.raises(NotationError):
        BluffMatch().read_choice("５,5")


@pytest.mark.slow
def test_random_values_build_the_game_they_show_or_are_refused():
    """Whatever is given for a field: the game's text reads back as the game, or RulesError."""
    rng = random.Random(14)
    values = [
        0,
        1,
        2,
        3,
        6,
        50,
        -1,
        2.0,
        0.5,
        True,
        False,
        None,
        "yes",
        "no",
        "win",
        "ones",
        "high",
        "face",
        "",
    ]
    values += [
        (1, 1),
        [2, 1],
        (1.0, 1),
        (2,),
        Fraction(3),
        Fraction(1, 2),
        np.int64(4),
        np.float64(4),
        np.True_,
    ]
    values += ["exact", "ruin", "difference", "one", {}, set(), float("nan"), float("inf"), 10**20, b"win"]
    built = 0
    for _ in range(1500):
        name = rng.choice(sorted(GAMES))
        names = [field.name for field in fields(GAMES[name])]
        given = {field: rng.choice(values) for field in rng.sample(names, min(len(names), rng.randint(0, 2)))}
        try:
            game = GAMES[name](**given)
        except RulesError:
            continue
        built += 1
        assert parse(game.name) == game
    assert built > 200
