"""Race games in plain words, written from their tables."""

import re
from fractions import Fraction
from functools import cache

from ..spoken import an, count, dice, hand, kind
from .named import big_pair, pairs_of, plain_pair
from .rules import BUST, RUIN, Effect, Face, RaceGame, Roll
from .titles import title_of

COIN, USUAL = 2, 6  # sides
FEW = 30  # rolls of which some are told
TWO_DICE, BIG = PAIR_GAMES = "two-dice-pig", "big-pig"
TITLES = {
    "pig": "Pig",
    "piglet": "Piglet",
    "two-dice-pig": "Two-Dice Pig",
    "big-pig": "Big Pig",
    "hog": "Hog",
    "pass-the-pigs": "Pass the Pigs",
    "race": "A race",
}


def sides_of_game(game: RaceGame) -> int:
    """How many sides the dice of a game that has a name have."""
    given = re.search(r"[:,]sides=([0-9]+)", game.name)
    return int(given[1]) if given else USUAL


def _shape(sides: int) -> str:
    """` with eight sides`; nothing of the usual dice."""
    return "" if sides == USUAL else f" with {count(sides)} sides"


@cache
def die_of(roll: Roll) -> dict[Face, int]:
    """The side of one fair die that each face of the roll is; empty if no single die can be recognised.

    A side that adds points adds its own number; a single other face is the side that is left.

    >>> from dicewright.families.race.named import pig
    >>> die_of(dict(pig().rolls)["roll"])[BUST]
    1
    """
    sides = len(roll)
    faces = [Face(effect, points) for _, effect, points in roll]
    if len(set(faces)) < sides or any(chance != Fraction(1, sides) for chance, _, _ in roll):
        return {}
    die = {face: face.points for face in faces if face.effect is Effect.ADD}
    left = set(range(1, sides + 1)) - set(die.values())
    others = [face for face in faces if face.effect is not Effect.ADD]
    if len(left) != len(others) or len(others) > 1 or (sides == COIN and not others):
        return {}
    return die | dict(zip(others, left, strict=True))


def die(game: RaceGame) -> dict[Face, int]:
    """The sides of the one die of a game that has one roll; empty otherwise."""
    return die_of(game.rolls[0][1]) if len(game.rolls) == 1 else {}


def race_faces(game: RaceGame, choice: str | Face) -> tuple[int, ...]:
    """The side that the one die shows, where the table tells it."""
    sides = die(game)
    return (sides[choice],) if isinstance(choice, Face) and choice in sides and len(sides) > COIN else ()


@cache
def _pairs(game: RaceGame) -> dict[Face, tuple[int, ...]]:
    """What must lie on the table of a game with two dice: faces, 0 for any other face; only what is certain."""
    ones = RUIN if game.has(Effect.RUIN) else BUST
    rules = {TWO_DICE: lambda pair: plain_pair(pair, ones), BIG: big_pair}
    if (name := kind(game.name)) not in rules:
        return {}
    found: dict[Face, set[tuple[int, ...]]] = {}
    for pair in pairs_of(name, sides_of_game(game)):
        found.setdefault(rules[name](pair), set()).add(tuple(sorted(pair)))
    return {BUST: (1, 0)} | {face: next(iter(pairs)) for face, pairs in found.items() if len(pairs) == 1}


def certain_faces(game: RaceGame, choice: str | Face) -> tuple[int, ...]:
    """The faces that must lie on the table, 0 for a die of which nothing is known; () if the points are all.

    >>> from dicewright.families.race.named import big_pig, two_dice_pig
    >>> pair = two_dice_pig()
    >>> [certain_faces(pair, pair.read_choice(word)) for word in ("+5", "+9", "bust", "ruin")]
    [(2, 3), (), (1, 0), (1, 1)]
    >>> certain_faces(big_pig(), big_pig().read_choice("+25"))
    (1, 1)
    """
    if not isinstance(choice, Face):
        return ()
    return race_faces(game, choice) or _pairs(game).get(choice, ())


def thrown(game: RaceGame, roll: str | None, face: Face) -> tuple[int, tuple[int, ...]]:
    """How many dice were thrown, 0 if that is not known, and the faces as far as they are certain.

    In Hog a bust has a one among the dice, and the lowest and the highest sum leave no doubt.

    >>> from dicewright.families.race.named import hog
    >>> [thrown(hog(), "3", hog().read_choice(word)) for word in ("bust", "bank18", "bank9")]
    [(3, (1, 0, 0)), (3, (6, 6, 6)), (3, ())]
    """
    sure = certain_faces(game, face)
    if roll is None or not roll.isdecimal():
        return 2 if kind(game.name) in PAIR_GAMES else 0, sure
    number = int(roll)
    if kind(game.name) != "hog":
        return number, sure
    if face == BUST:
        return number, (1, *(0,) * (number - 1))
    plain = number == 1 or face.points in (2 * number, sides_of_game(game) * number)
    return number, (face.points // number,) * number if plain else ()


def is_pigs(game: RaceGame) -> bool:
    """Whether two rubber pigs are tossed in place of dice."""
    return kind(game.name) == "pass-the-pigs"


def race_name(game: RaceGame) -> str:
    """The game without its goal."""
    name = kind(game.name)
    return title_of(game.name) or TITLES.get(name, name.replace("-", " ").capitalize())


def race_title(game: RaceGame) -> str:
    """The game and its goal."""
    name = kind(game.name)
    extra = ", exactly" if game.finish == "exact" else ""
    extra += {"win": "", "margin": ", for the margin", "difference": ", for points"}[game.payoff_rule]
    extra += ", a one scores" if name == "pig" and BUST not in die(game) else ""
    extra += ", two ones lose the turn" if name == "two-dice-pig" and not game.has(Effect.RUIN) else ""
    extra += f", up to {dice(len(game.rolls))}" if name == "hog" and len(game.rolls) != 10 else ""
    extra += "" if len(die(game)) == COIN else _shape(sides_of_game(game)).replace(" with", ", with")
    extra += ", turns may be skipped" if game.skip else ""
    return f"{race_name(game)} to {game.goal}{extra}"


def race_say(game: RaceGame, choice: str | Face) -> str:
    """A roll, a hold, or what the dice did."""
    if not isinstance(choice, Face):
        return choice if not choice.isdecimal() else f"roll {dice(int(choice))}"
    thing = _side(game, choice)
    return f"{thing}: {_effect(game, choice)}" if thing else _effect(game, choice)


def _side(game: RaceGame, face: Face) -> str:
    """What lies on the table: `a five`, `heads`, or nothing if only the points are known."""
    sides = die(game)
    if face not in sides:
        known = [side for side in certain_faces(game, face) if side]
        return "a one" if kind(game.name) == "hog" and face == BUST else hand(known) if known else ""
    if len(sides) == COIN:
        return "heads" if face.effect is Effect.ADD else "tails"
    return an(sides[face])


def _effect(game: RaceGame, face: Face) -> str:
    if face.effect is Effect.ADD:
        return f"+{face.points}"
    if face.effect is Effect.BANK:
        scored = f"{face.points} {'point is' if face.points == 1 else 'points are'} banked"
        return f"{scored}, the turn total is lost" if game.has(Effect.ADD) else scored
    if face.effect is Effect.RUIN:
        return "the whole score is lost"
    return "the turn is lost" if game.has(Effect.ADD) else "no points"


def race_rules(game: RaceGame) -> tuple[str, ...]:
    """What a roll does, when to stop, who wins, and what is won, from the table and the fields."""
    lines = _rolling(game)
    if game.has(Effect.ADD):
        verb = "toss" if len(die(game)) == COIN or is_pigs(game) else "roll"
        must = "" if game.skip else f" You must {verb} at least once."
        lines.append(f"Hold to bank your turn total; then the other player has the turn.{must}")
    if game.skip:
        lines.append("You may also hold without rolling: the turn passes and nothing changes.")
    return (*lines, *_finishing(game))


def _rolling(game: RaceGame) -> list[str]:
    """What is rolled and what it does."""
    sides = die(game)
    if len(game.rolls) > 1 or not game.has(Effect.ADD):
        return _choosing(game)
    if len(sides) == COIN:
        heads, tails = sorted(sides, key=lambda face: face.effect is not Effect.ADD)
        adds = f"heads adds {_points(heads.points)} to your turn total"
        return [f"Toss a coin as often as you like: {adds}; tails {_loses(tails)} and ends your turn."]
    if sides:
        return _one_die(game, sides)
    two_dice = (
        f"Roll two dice{_shape(sides_of_game(game))} as often as you like: their sum adds to your turn total."
    )
    one = "A single one loses the turn total and ends your turn"
    match kind(game.name):
        case "two-dice-pig":
            pair = "your whole score" if game.has(Effect.RUIN) else "no more than that"
            return [two_dice, f"{one}; two ones lose {pair}."]
        case "big-pig":
            return [two_dice, "Doubles count twice, but two ones add 25.", f"{one}."]
        case "pass-the-pigs":
            return ["Toss two rubber pigs as often as you like; how they land gives points.", *_odds(game)]
    told = _faces_told(game) if kind(game.name) == "race" else _odds(game)
    return ["Roll as often as you like; points add to your turn total.", *told]


def _one_die(game: RaceGame, sides: dict[Face, int]) -> list[str]:
    adding = sorted(side for face, side in sides.items() if face.effect is Effect.ADD)
    what = f"{adding[0]} to {adding[-1]}" if len(adding) > 2 else " and ".join(map(str, adding))
    shape = "a die" if len(sides) == 6 else f"a die with {count(len(sides))} sides"
    verb = "adds its number" if len(adding) == 1 else "add their number"
    others = [(face, an(side).capitalize()) for face, side in sides.items() if face.effect is not Effect.ADD]
    return [
        f"Roll {shape} as often as you like: {what} {verb} to your turn total.",
        *(f"{name} {_loses(face)} and ends your turn." for face, name in others),
    ]


def _loses(face: Face) -> str:
    """What a face that is no gain takes away."""
    if face.effect is Effect.BANK:
        return f"loses the turn total, scores {_points(face.points)},"
    return f"loses {'your whole score' if face.effect is Effect.RUIN else 'the turn total'}"


def _points(number: int) -> str:
    return f"{count(number)} {'point' if number == 1 else 'points'}"


def _choosing(game: RaceGame) -> list[str]:
    """Games where a roll is chosen and ends the turn, such as Hog."""
    names = [name for name, _ in game.rolls]
    if kind(game.name) == "hog":
        shape = _shape(sides_of_game(game))
        how, which = (
            f"Roll as many dice{shape} as you like, up to {count(len(names))}: their sum",
            "any of them",
        )
        if len(names) == 1:
            how, which = f"Roll one die{shape}: its number", "it"
        return [
            f"{how} is added to your score at once.",
            f"But if {which} shows a one, you score nothing.",
            "Then the other player has the turn.",
        ]
    told = _faces_told(game) if kind(game.name) == "race" else _odds(game)
    if len(names) == 1:
        return ["Roll once: that is the whole turn.", *told]
    again = " each time, as often as you like; points add to your turn total" if game.has(Effect.ADD) else ""
    return [f"Choose what to roll{again}: {', '.join(names)}.", *told]


def _faces_told(game: RaceGame) -> list[str]:
    """Every effect of a table that somebody wrote, with its chance; of several rolls a sentence each."""
    lines = []
    for name, roll in game.rolls:
        gains = sorted(points for _, effect, points in roll if effect is Effect.ADD)
        who = "A roll" if len(game.rolls) == 1 else name.capitalize()
        parts = [f"{who} adds {_listed(gains)} {'point' if gains == [1] else 'points'}"] if gains else []
        for chance, effect, points in roll:
            if effect is not Effect.ADD:
                parts.append(f"{_exactly(chance, _ending(game, Face(effect, points)))}")
        if len(game.rolls) > 1 and not gains:
            parts[0] = f"{who}: {parts[0]}"
        if len(game.rolls) > 1:
            parts = ["; ".join(parts)]
        lines += [f"{part[0].upper()}{part[1:]}." for part in parts]
    return lines


def _ending(game: RaceGame, face: Face) -> str:
    """What a face that ends the turn does, with (s) where one does it."""
    turns = game.has(Effect.ADD)
    done = "lose(s) your whole score" if face.effect is Effect.RUIN else "lose(s) the turn total"
    if face.effect is Effect.BANK:
        done = f"{'lose(s) the turn total but ' if turns else ''}score(s) {_points(face.points)}"
    elif face.effect is Effect.BUST and not turns:
        done = "score(s) nothing"
    return f"{done} and end(s) your turn" if turns else done


def _listed(points: list[int]) -> str:
    """`2 to 6`, `1, 2 or 10`."""
    if len(points) > 2 and points == list(range(points[0], points[-1] + 1)):
        return f"{points[0]} to {points[-1]}"
    *most, last = map(str, points)
    return f"{', '.join(most)} or {last}" if most else last


def _exactly(chance: Fraction, done: str) -> str:
    """What so many rolls do: a few as they are, of many about one in so many.

    >>> _exactly(Fraction(2, 7), "lose(s)"), _exactly(Fraction(1), "lose(s)"), _exactly(Fraction(100, 301), "lose(s)")
    ('two rolls in seven lose', 'each roll loses', 'about one roll in three loses')
    """
    some, many = chance.as_integer_ratio()
    if 1 < some < many <= FEW:
        return f"{count(some)} rolls in {count(many)} {done.replace('(s)', '')}"
    said = _share(chance) if many > FEW else f"one roll in {count(many)}" if many > 1 else "each roll"
    return f"{said[0].lower()}{said[1:]} {done.replace('(s)', '' if 'rolls' in said else 's')}"


def _odds(game: RaceGame) -> list[str]:
    """The effects of a table whose dice are not known, with their chances."""
    lines = []
    for name, roll in game.rolls:
        head = "A roll" if len(game.rolls) == 1 else f"Roll {name}"
        parts = []
        for effect, verb in ((Effect.ADD, "adds"), (Effect.BANK, "banks")):
            points = sorted(points for _, found, points in roll if found is effect)
            if points:
                span = f"{points[0]} to {points[-1]}" if points[0] < points[-1] else f"{points[0]}"
                unit = "point" if points[-1] == 1 else "points"
                parts.append(f"{verb} {span} {unit}")
        lines.append(f"{head} {' or '.join(parts)}." if parts else f"{head} adds nothing.")
        for face, lost in ((BUST, "the turn total"), (RUIN, "your whole score")):
            chance = sum((c for c, effect, _ in roll if effect is face.effect), Fraction(0))
            if chance:
                lines.append(f"{_share(chance)} loses {lost} and ends your turn.")
    return lines


def _share(chance: Fraction) -> str:
    """A chance as one in so many: `About one in five`.

    >>> _share(Fraction(1279, 6000)), _share(Fraction(3, 4))
    ('About one roll in five', 'About 75 rolls in 100')
    """
    if chance > Fraction(2, 5):
        return f"About {round(100 * chance)} rolls in 100"
    about = "" if (1 / chance).denominator == 1 else "about "
    return f"{about}one roll in {count(round(1 / chance))}".capitalize()


def _finishing(game: RaceGame) -> list[str]:
    goal, lines = game.goal, [f"The first with {game.goal} points or more wins."]
    if game.finish == "exact":
        costs = "loses the turn total" if game.has(Effect.ADD) else "scores nothing"
        beyond = f"A roll that would carry you beyond {goal} {costs} and ends your turn."
        lines = [f"The first with exactly {goal} points wins.", beyond]
    if game.payoff_rule == "margin":
        lines.append(f"The winner gets as many points as the other lacks to {goal}.")
    if game.payoff_rule == "difference":
        lines.append("The winner gets the difference of the final scores.")
    return lines
