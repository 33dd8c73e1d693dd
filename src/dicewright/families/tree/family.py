"""The classics: small games for tests and teaching, solved on their trees."""

from ..family import Family, by_name
from ..spoken import kind
from .classics import MovesGame, kuhn_poker, rock_paper_scissors, textbook_tree

RULES = {
    "rock-paper-scissors": (
        "Both choose rock, paper or scissors at once.",
        "Paper beats rock, scissors beat paper, rock beats scissors; the same twice is a draw.",
    ),
    "kuhn-poker": (
        "There are three cards, J below Q below K; each player gets one and puts one coin in the pot.",
        "Check, or bet one more coin; a bet is answered by fold or call.",
        "Whoever folds loses one coin; else the higher card wins what the other put in.",
    ),
    "textbook-tree": (
        "Chance sends you left or right.",
        "On the left the first player stops (l) or goes on (r); then the second chooses p or q, and the first,"
        " not knowing it, L or R.",
        "On the right the second chooses s or t, and the first, not knowing it, c or d.",
        "A table says what the second player then pays the first.",
    ),
}


class ClassicFamily(Family):
    """Nothing but their rules in words."""

    key, kind = "classic", MovesGame
    games = by_name(rock_paper_scissors, kuhn_poker, textbook_tree)

    def rules(self, game: MovesGame) -> tuple[str, ...]:
        """As books tell them."""
        return RULES.get(kind(game.name), super().rules(game))


FAMILY = ClassicFamily()
