"""Records of random play, by the seven questions only."""

from dicewright.core.game import CHANCE, OVER
from dicewright.core.record import Forfeit, Record
from dicewright.families import catalog

VARIANTS = (
    *(
        "pig:goal=30",
        "pig:goal=20,one=scores,finish=exact,payoff=margin",
        "pig:goal=12,skip=yes",
        "piglet:goal=5",
    ),
    *("two-dice-pig:goal=40", "big-pig:goal=40,payoff=difference", "hog:goal=30", "pass-the-pigs:goal=30"),
    *(
        "rock-paper-scissors",
        "kuhn-poker",
        "textbook-tree",
        "liars-die",
        "mia",
        "mia:keep=yes",
        "mia:sides=10",
    ),
    *("liars-dice-poker:dice=2", "bluff:dice=2v1", "bluff:dice=2v2,sides=5,spot_on=yes", "bluff"),
    *("bluff-match:dice=2v2,spot_on=yes,palifico=yes", "bluff-match:dice=3v2,loss=difference"),
)
GAMES = tuple(map(catalog.parse, VARIANTS))


def random_record(game, rng, most=200, ended=None, tags=(), notes=()):
    """Random play that ends by the rules, or after `most` choices in another way."""
    state, choices = game.start(), []
    while (mover := game.mover(state)) != OVER and len(choices) < most:
        options = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
        choices.append(rng.choice(list(options)))
        state = game.play(state, choices[-1])
    if game.mover(state) == OVER:
        return Record(game, tuple(choices), float(game.payoff(state)), "over", None, tags, notes)
    ended = ended or rng.choice(["cut-off", "forfeit", "unfinished"])
    forfeit = Forfeit(rng.randrange(2), 'said "no"') if ended == "forfeit" else None
    payoff = 0.0 if forfeit is None else (-1.0, 1.0)[forfeit.player]
    return Record(game, tuple(choices), payoff, ended, forfeit, tags, notes)
