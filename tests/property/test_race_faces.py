"""Race games by their faces: one line for one game, whatever way it is spelled."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicewright as dw
from dicewright.core.errors import DicewrightError
from dicewright.core.notation import MOST_LETTERS
from dicewright.families import family
from dicewright.families.catalog import parse
from dicewright.families.race.faces import MOST_FACES, MOST_WEIGHT, race, read_rolls, show_rolls
from dicewright.web.prepare.remembered import Cost
from dicewright.web.rooms.views import solvable

FACES = st.one_of(
    st.integers(1, 1000).map("+{}".format),
    st.integers(1, 1000).map("bank{}".format),
    st.sampled_from(["bust", "ruin"]),
)
ROLL = st.dictionaries(FACES, st.integers(1, 2000), min_size=1, max_size=6)
NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True).filter(
    lambda name: name not in ("hold", "bust", "ruin") and not name.startswith("bank")
)
TITLES = st.text("aZüé ’-7", max_size=20)


def scores(rolls):
    return any(face.startswith(("+", "bank")) for roll in rolls.values() for face in roll)


ROLLS = st.one_of(
    ROLL.map(lambda roll: {"roll": roll}), st.dictionaries(NAMES, ROLL, min_size=1, max_size=3)
).filter(scores)


@st.composite
def fields(draw):
    return {
        "goal": draw(st.integers(2, 5000)),
        "finish": draw(st.sampled_from(["reach", "exact"])),
        "payoff": draw(st.sampled_from(["win", "margin", "difference"])),
        "skip": draw(st.booleans()),
        "title": draw(TITLES),
    }


def spelled(draw, rolls):
    """The rolls as a person may write them: in any order, faces apart, other signs, a common divisor, spaces."""
    parts = []
    for name, faces in draw(st.permutations(list(rolls.items()))):
        times, words = draw(st.integers(1, 3)), []
        for face, weight in draw(st.permutations(list(faces.items()))):
            whole, cut = weight * times, draw(st.integers(0, weight * times - 1))
            shown = face.lstrip("+") if draw(st.booleans()) else face
            words += [f"{shown}{draw(st.sampled_from('.*'))}{part}" for part in (whole - cut, cut) if part]
        line = draw(st.sampled_from(["/", "|", " / "])).join(words)
        parts.append(line if name == "roll" and draw(st.booleans()) else f"{name}:{line}")
    return ",".join(parts)


@settings(max_examples=25)
@given(rolls=ROLLS, rest=fields(), data=st.data())
def test_a_game_has_one_line_and_the_line_is_the_game(rolls, rest, data):
    game = race(faces=rolls, **rest)
    assert len(game.name) <= MOST_LETTERS
    assert parse(game.name) == game
    assert not set(game.name) & set(" |*?[](){}<>$&;!#\\\"'`~")  # nothing that a shell would take for itself
    assert race(faces=spelled(data.draw, rolls), **rest) == game
    assert race(faces=game.rolls, **rest) == game


@settings(max_examples=40)
@given(rolls=ROLLS)
def test_the_chances_are_the_weights(rolls):
    game = race(faces=rolls)
    for name, roll in game.rolls:
        given_roll = rolls[name]
        total = sum(given_roll.values())
        assert {game.show_choice(face): chance for face, chance in game._faces[name].items()} == {
            face: Fraction(weight, total) for face, weight in given_roll.items()
        }
        assert sum(chance for chance, _, _ in roll) == 1


@given(text=st.text("race:+-bustruinank/|.*,=0123456789gol hd", max_size=60))
def test_any_text_is_a_game_or_is_refused_in_a_sentence(text):
    try:
        game = parse(f"race:{text}")
    except DicewrightError as error:
        told = str(error)
    else:
        assert parse(game.name) == game
        return
    assert "allowed" in told or "needed" in told


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("race:+2/bost", ["face 2 of the roll 'roll' is 'bost'", "+1 to +1000", "bust.2", "race:+2/bost"]),
        ("race:safe:+1,bold:+0/bust", ["face 1 of the roll 'bold' is '+0'", "+1 to +1000"]),
        ("race:+2/bust.0", ["face 2", "the weight 0", "1 to 1,000,000"]),
        ("race:+2/bank1001", ["face 2", "bank1 to bank1000"]),
        ("race:bust/ruin", ["no face adds or banks points"]),
        ("race:+2/bust,+3/bust", ["two rolls are named 'roll'", "safe:+1/+2,bold:+9/bust"]),
        ("race:hold:+2/bust", ["'hold'", "small letters"]),
        ("race:bank3:+2/bust", ["'bank3'", "not hold or a face"]),
        ("race:+2/bust,goal=1", ["goal is 1", "2 to 5000"]),
        ("race:+2/bust,gaol=3", ["'gaol'", "goal (a whole number)"]),
        ("race:+2/bust,title=a<b", ["the title is 'a<b'", "up to 40 letters"]),
        (f"race:{'/'.join(f'+{n}' for n in range(1, MOST_FACES + 2))}", ["101 faces", "up to 100"]),
        (f"race:{'+2/' * 400}bust", ["letters", "up to 1000 is allowed"]),
        (f"race:{','.join(f'r{n}:+1' for n in range(11))}", ["11 rolls", "1 to 10"]),
    ],
)
def test_what_is_wrong_is_told_by_place(text, words):
    with pytest.raises(DicewrightError) as caught:
        parse(text)
    assert all(word in str(caught.value) for word in words)


def test_weights_are_in_lowest_terms_and_not_too_long():
    assert show_rolls({"+2": "1/3", "bust": Fraction(2, 3)}) == "+2/bust.2"
    assert show_rolls(read_rolls("+2.10/+2.5/bust.30")) == "+2/bust.2"
    with pytest.raises(DicewrightError, match=f"up to {MOST_WEIGHT:,} is allowed"):
        race(faces={"+2": "1/1000003", "bust": "1/7"})
    with pytest.raises(DicewrightError, match=r"face 1 of the roll 'roll', \+2, has the weight 0.5"):
        race(faces={"+2": 0.5, "bust": 1})


def test_the_line_of_pig_is_worth_what_pig_is():
    line, pig = "race:+2/+3/+4/+5/+6/bust,goal=10", "pig:goal=10"
    assert dw.solve(line).certificate.exact == dw.solve(pig).certificate.exact
    assert dw.game("race").name == "race:+2/+3/+4/+5/+6/bust"


@pytest.mark.parametrize("name", ["pig", "two-dice-pig", "big-pig", "hog"])
def test_dice_of_six_sides_are_the_usual_ones(name):
    assert parse(f"{name}:sides=6") == parse(name)
    assert parse(f"{name}:sides=8").rolls != parse(name).rolls


@pytest.mark.parametrize("name", ["pig", "piglet", "two-dice-pig", "big-pig", "hog", "pass-the-pigs", "race"])
def test_every_race_has_a_finish_a_payoff_and_skips(name):
    game = parse(f"{name}:finish=exact,payoff=difference,skip=yes")
    assert (game.finish, game.payoff_rule, game.skip) == ("exact", "difference", True)
    assert parse(game.name) == game


def test_what_a_stranger_asks_is_weighed_before_it_is_begun():
    many = "/".join(f"+{n}" for n in range(1, 100))
    assert not solvable(parse(f"race:{many}/bust,goal=500"))
    assert solvable(parse(f"race:{many}/bust,goal=100"))
    usual, rare = (parse(f"race:+1/bust{weight}/ruin,goal=100") for weight in ("", ".100"))
    assert family(rare).effort(rare).seconds > 100 * family(usual).effort(usual).seconds
    proved = Cost.solving(parse("pig:goal=200"), at_hand=False)
    assert proved.seconds > 5 * family(usual).effort(parse("pig:goal=200")).seconds


@pytest.mark.slow
def test_a_proof_in_fractions_that_would_be_too_long_is_left_for_balls():
    faces = "/".join(f"+{n}.{999_983 - 7 * n**3}" for n in range(1, 12))
    assert dw.solve(f"race:{faces}/bust.999979,goal=30", fresh=True).certificate.method == "balls"
