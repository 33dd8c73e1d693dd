"""What menus say of race games."""

from ..menu import Menu, Player, Saying, Sight
from .pictures import MOST_DRAWN

_MAPS = ("pig", "piglet", "two-dice-pig", "big-pig", "pass-the-pigs")


def _goal(*usual: int) -> Saying:
    return Saying("Goal", "to {}", usual, main=True, apart=True, most=MOST_DRAWN)


MENU = Menu(
    about={
        "pig": "One die. Roll as often as you dare; a 1 loses the turn.",
        "piglet": "A coin instead of a die: the smallest game of nerve.",
        "two-dice-pig": "Two dice; a 1 loses the turn, two 1s lose everything.",
        "big-pig": "Two dice, doubles count twice, two 1s are worth 25.",
        "hog": "Choose how many dice to roll, once a turn.",
        "pass-the-pigs": "Two rubber pigs, with the chances of 6000 real throws.",
    },
    fields={
        "goal": _goal(25, 50, 100),
        "goal/pig": _goal(25, 50, 100, 200),
        "goal/piglet": _goal(3, 10, 20),
        "dice": Saying("Dice", {"5": "up to 5 dice", "10": "up to 10 dice"}, main=True),
        "one": Saying("A 1", {"busts": "a 1 loses the turn", "scores": "a 1 scores one point"}),
        "ones": Saying("Two 1s", {"ruin": "two 1s lose everything", "bust": "two 1s lose only the turn"}),
        "finish": Saying(
            "The finish",
            {"reach": "reach the goal or pass it", "exact": "hit the goal exactly"},
            apart=True,
        ),
        "payoff": Saying(
            "Payoff",
            {
                "win": "playing to win",
                "margin": "playing for the margin",
                "difference": "playing for points",
            },
            apart=True,
        ),
        "skip": Saying("Skipping", {"no": "a turn needs a roll", "yes": "a turn may be skipped"}),
    },
    players={
        "hold": Player("the hold-at-{} player", "Holds at the same turn total every time."),
        "turtle": Player("the turtle", "Banks a little every turn."),
        "roll-to-win": Player("a daredevil", "Never holds before the goal."),
        "roll-and-wait": Player(
            "the roll-and-wait player", "Skips turns near the goal until the other is there too."
        ),
        "four-scoring-turns": Player("the divider", "Divides what is left into even turns."),
        "keep-pace": Player("the pacemaker", "Follows the lead, and rolls to win in sight of the goal."),
        "end-race": Player("the end-racer", "Holds at a fixed number until somebody is near the goal."),
        "fewest-turns": Player("the sprinter", "Gets home in as few turns as it can, whatever you do."),
        "max-difference": Player("the point collector", "Plays for points rather than for the win."),
    },
    meetings=("pig", "piglet", "big-pig", "hog"),
    says={"begins": ("Roll to begin.", "No roll yet.")},
)
_WORDS = {
    "mine": "my score",
    "yours": "opponent",
    "turn": "turn total",
    "slider": "Opponent’s score",
    "holds": "Holds from a turn total of",
    "surface": "Below the surface it rolls, from the surface on it holds.",
    "least": "Lowest turn total that holds",
    "blue": "{} rolls, {} holds",
    "orange": "{} holds, {} rolls",
    "differ": "Turn totals where they differ",
}
SIGHTS = {
    "map": Sight("Map", "families/race-map", _MAPS, captions=_WORDS),
    "surface": Sight("Surface", "families/race-surface", _MAPS, captions=_WORDS),
    "compare": Sight("Compare", "families/race-compare", _MAPS, pair=True, captions=_WORDS),
}
