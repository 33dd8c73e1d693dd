"""What menus say of calling games."""

from ..menu import Front, Menu, MenuPlayer, Saying, Sight
from ..spoken import dice

_SMALL = ("mia", "liars-die", "mia:truth=exactly")
MENU = Menu(
    about={
        "liars-die": "One die under a cup. Say what you rolled, or lie.",
        "mia": "Two dice under a cup, 21 beats everything. Say what you rolled, or lie.",
        "liars-dice-poker": "Poker dice under a cup.",
    },
    front={"mia": Front(4, (2, 1))},
    fields={
        "sides": Saying("Sides", "{} sides to a die", (3, 4, 6, 8)),
        "sides/liars-die": Saying("Sides", "{} sides to a die", (4, 6, 10, 20)),
        "dice": Saying("Dice", {str(number): dice(number) for number in (1, 2, 3, 5)}, main=True),
        "truth": Saying(
            "Truth",
            {"at-least": "a higher roll also counts as true", "exactly": "only the exact roll is true"},
        ),
        "below": Saying(
            "Low calls",
            {
                "yes": "calling less than you rolled is allowed",
                "no": "calling less than you rolled is forbidden",
            },
        ),
        "keep": Saying("Keeping dice", {"no": "all dice are rolled afresh", "yes": "dice may be kept"}),
        "kickers": Saying("Kickers", {"yes": "kickers count", "no": "kickers do not count"}),
    },
    players={
        "truthful": MenuPlayer("a truthful player", "Never lies if it can help it."),
        "tree": MenuPlayer("the guesser", "Guesses how often you challenge (Johnson 2006)."),
        "matrix": MenuPlayer("the mixer", "Mixes its calls by a table (Johnson 2006)."),
    },
    rule="beat < 0.5; call > roll",
    meetings=_SMALL,
    says={
        "calls": ("you call", "{} calls"),
        "wins": ("You win.", "{} wins."),
        "stands": ("To beat:", "To beat:"),
    },
)
SIGHTS = {"ranges": Sight("Ranges", "rooms/explore-ranges", _SMALL)}
