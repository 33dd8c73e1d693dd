"""The imperfect players of any finite game whose mistakes solved play is chosen to punish.

All are as likely: one who acts at random, and logit players, who take an action of worth w with a chance in proportion
to exp(c w) for each precision c, w being the winning chance against optimal play that errs now and then. They are the
usual models of people (McKelvey & Palfrey 1998).
"""

import numpy as np

from ...core.game import other
from .arrays import Floats, Tree
from .response import replies, weights_by

PRECISIONS = (5.0, 10.0, 20.0)
TREMBLE = 0.01  # how often the optimal play errs, by which a logit player weighs what it never meets


def population(tree: Tree, player: int, against: Floats) -> Floats:
    """The weights of imperfect players of this side taken together, who weigh actions against these weights."""
    side, rival = tree.sides[player], tree.sides[other(player)]
    erring = (1 - TREMBLE) * against + TREMBLE * weights_by(rival, np.ones(rival.sequences))
    found = replies(tree, player, erring)
    most = float(max(map(abs, tree.leaf_payoffs))) or 1.0
    worth = found.values / (2 * most * found.mass)
    people = [weights_by(side, np.exp(precision * worth)) for precision in (0.0, *PRECISIONS)]
    return np.asarray(np.sum(people, axis=0))
