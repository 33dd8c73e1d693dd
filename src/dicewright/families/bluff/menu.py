"""What menus say of rounds and matches of Bluff."""

from ..menu import Front, Menu, MenuPlayer, Saying, Sight
from ..spoken import count, dice


def _dice(*offered: tuple[int, int]) -> Saying:
    words = {
        f"{mine}v{yours}": f"{dice(mine)} each" if mine == yours else f"{count(mine)} against {count(yours)}"
        for mine, yours in offered
    }
    return Saying("Dice", words, main=True)


_LIVES = ((5, 5), (4, 4), (3, 3), (2, 2), (1, 1), (5, 4), (4, 5), (5, 3), (3, 5), (2, 1), (1, 2))
_SMALL = (
    "bluff",
    "bluff:sides=4",
    "bluff:wild=none",
    "bluff:dice=2v1,sides=3",
    "bluff:dice=2v1,sides=4",
    "bluff:dice=2v2,sides=3",
)
MENU = Menu(
    usual={"perudo": "perudo", "bluff-match": "bluff-match:dice=5v5"},
    about={
        "perudo": "Five dice each, lost one by one: ones are wild, and the last die brings a palifico.",
        "bluff": "Hidden dice, rising bids on all of them, one call: one round.",
        "bluff-match": "Rounds of Bluff until somebody has no dice left.",
    },
    front={"bluff": Front(2, (4, 0)), "perudo": Front(3, (1, 0))},
    fields={
        "dice": _dice((1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (3, 3)),
        "dice/bluff-match": _dice(*_LIVES),
        "dice/perudo": _dice(*_LIVES),
        "sides": Saying("Sides", "{} sides to a die", (2, 3, 4, 6)),
        "sides/bluff-match": Saying("Sides", "{} sides to a die", (3, 4, 6)),
        "wild": Saying(
            "Wild",
            {"high": "the highest face is wild", "ones": "ones are wild", "none": "nothing is wild"},
        ),
        "order": Saying(
            "Bids rise by",
            {
                "face": "more dice, or a higher face",
                "quantity": "a higher face first",
                "dudo": "as in Dudo",
                "fixed": "the first face stays",
            },
        ),
        "spot_on": Saying("Spot-on", {"no": "no spot-on", "yes": "spot-on allowed"}),
        "wild_bids": Saying(
            "Bids on wild", {"yes": "wild faces may be bid", "no": "wild faces may not be bid"}
        ),
        "wild_opens": Saying(
            "Opening on wild", {"yes": "opening on wild allowed", "no": "no opening on wild"}
        ),
        "loss": Saying(
            "The loser",
            {
                "one": "the loser loses a die",
                "difference": "lose as many as the bid was off",
                "give": "the loser gives a die away",
            },
        ),
        "opens": Saying(
            "Who opens",
            {"loser": "the loser opens", "winner": "the winner opens", "alternate": "opening alternates"},
        ),
        "reward": Saying("Reward", {"none": "spot-on earns nothing more", "regain": "spot-on regains a die"}),
        "palifico": Saying("Palifico", {"no": "no palifico", "yes": "with palifico"}),
    },
    players={
        "truthful": MenuPlayer("a truthful player", "Never lies if it can help it."),
        "call-below": MenuPlayer("a reckoner at {}", "Counts the odds, and calls what is unlikely."),
        "call-below:0.3": MenuPlayer("a reckoner", "Counts the odds, and calls what is unlikely."),
        "trained": MenuPlayer("the trained player", "Has played these rules against itself for a long time."),
    },
    rule="chance < 0.3; own + 1 >= count",
    meetings=_SMALL,
    says={
        "opens": ("You open.", "{} opens."),
        "wins": ("You win the round.", "{} wins the round."),
        "counts": ("counting {} …", "counting {} …"),
    },
)
SIGHTS = {"ranges": Sight("Ranges", "rooms/explore-ranges", (*_SMALL, "bluff:dice=2v2"), first=True)}
