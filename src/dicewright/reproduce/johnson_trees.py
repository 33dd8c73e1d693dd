"""Johnson's sub-game trees (figures 2 to 6) whole, and every probability of them that the text gives.

Our copy has lost the pictures. A tree is the game after a call was accepted: roll, call, answer; all
probabilities are the tree agent's, for the player who rolls.
"""

from collections.abc import Callable, Iterator
from functools import partial

from ..families.calling.rules import ACCEPT, CHALLENGE, NOTHING, CallingGame
from ..families.calling.strategies import TreeAgent
from ..families.catalog import parse as game
from .claims import JOHNSON, Branch, Found, GameTree, Source, equal
from .kinds import fact, number, shown

FIVE, SIX = 4, 5
NAMES = {
    FIVE: 'The "accept five" sub-game tree (figures 2 to 5)',
    3: 'The "accept four" sub-game tree (figure 6)',
    2: 'The "accept three" sub-game tree (not drawn in the source)',
    1: 'The "accept two" sub-game tree (not drawn in the source)',
    0: 'The "accept one" sub-game tree (not drawn in the source)',
    NOTHING: "The tree at the start of the game (not drawn in the source)",
}


def sub_game(agent: TreeAgent, accepted: int) -> Branch:
    """The tree after a call was accepted, leaves first: answers, calls by equation 1, rolls by the best call."""
    rolls = [_roll(agent, accepted, roll, float(chance)) for roll, chance in enumerate(agent.game.chances)]
    return Branch("before rolling", None, agent.roots[accepted], rolls)


def _roll(agent: TreeAgent, accepted: int, roll: int, chance: float) -> Branch:
    calls = []
    for call, wins in agent.calls(accepted, roll).items():
        challenge = agent.challenge(call, agent.roots[call])
        answers = [
            Branch(ACCEPT, 1 - challenge, 1 - agent.roots[call]),
            Branch(CHALLENGE, challenge, float(roll == call)),
        ]
        calls.append(Branch(f"call {call + 1}", None, wins, answers))
    return Branch(f"roll {roll + 1}", chance, max(call.wins for call in calls), calls)


def trees() -> Iterator[GameTree]:
    """All six trees, in the order in which the thesis builds them."""
    agent = TreeAgent(game("liars-die"))
    for accepted, title in NAMES.items():
        yield GameTree(JOHNSON, title, sub_game(agent, accepted))


def claims(thesis: Source, rules: CallingGame) -> None:
    """Section 3.3.1: what the text says of the trees."""
    agent = TreeAgent(rules)
    for part in (_structure, _accept_five, _answers):
        part(thesis, agent)

    def roots(reading: TreeAgent) -> str:
        return ", ".join(f"{_after(call)} {reading.roots[call]:.6f}" for call in NAMES)

    thesis.add(shown, "figure 6", "winning after accepting five, then four, ..., by the equations",
               partial(roots, agent), "a picture without numbers")  # fmt: skip
    thesis.add(shown, "4.1", "the same by the pseudocode", partial(roots, TreeAgent(rules, "pseudocode")),
               "not printed")  # fmt: skip


def _after(call: int) -> str:
    return "start" if call == NOTHING else f"after {call + 1}"


def _structure(thesis: Source, agent: TreeAgent) -> None:
    @thesis(fact, "figure 2", "after accepting five: rolls, calls and answers", "a six is the only call")
    def shape() -> Found:
        tree = sub_game(agent, FIVE)
        rolls = tree.branches
        calls = {tuple(call.label for call in roll.branches) for roll in rolls}
        answers = {tuple(each.label for each in call.branches) for call in _calls_of(tree)}
        words = (" or ".join(sorted(" or ".join(each) for each in found)) for found in (calls, answers))
        text = "{} rolls; each: {}; then: {}".format(len(rolls), *words)
        return text, (len(rolls), calls, answers) == (6, {("call 6",)}, {(ACCEPT, CHALLENGE)})

    def answered(call: Branch) -> float:
        return sum((answer.chance or 0) * answer.wins for answer in call.branches)

    places: dict[tuple[str, str, str], Callable[[Branch], list[bool]]] = {
        ("3.3.1.1.1", "a challenged call wins with one or zero", "always"):
            lambda tree: [answer.wins in (0, 1) for answer in _answers_of(tree, CHALLENGE)],
        ("equation 1", "a call wins as its two answers do", "every call"):
            lambda tree: [equal(call.wins, answered(call)) for call in _calls_of(tree)],
        ("3.3.1.1.1", "a roll wins as its best call does", "every roll"):
            lambda tree: [roll.wins == max(call.wins for call in roll.branches) for roll in tree.branches],
        ("equation 3", "a tree wins as its rolls do on average", "every tree"):
            lambda tree: [equal(tree.wins, sum(roll.wins for roll in tree.branches) / 6)],
    }  # fmt: skip

    def everywhere(rule: Callable[[Branch], list[bool]]) -> Found:
        """Whether a rule of the text holds in all its places of the six trees."""
        found = [holds for accepted in NAMES for holds in rule(sub_game(agent, accepted))]
        return f"in {sum(found)} of {len(found)} places of the six trees", all(found)

    for told, rule in places.items():
        thesis.add(fact, *told, partial(everywhere, rule))


def _calls_of(tree: Branch) -> list[Branch]:
    return [call for roll in tree.branches for call in roll.branches]


def _answers_of(tree: Branch, label: str) -> list[Branch]:
    return [answer for call in _calls_of(tree) for answer in call.branches if answer.label == label]


def _accept_five(thesis: Source, agent: TreeAgent) -> None:
    tree = sub_game(agent, FIVE)
    thesis.add(number, "3.3.1", "winning after accepting a six", "0", lambda: agent.roots[SIX])
    for answer, paper in ((ACCEPT, "0"), (CHALLENGE, "1")):
        what = f"P({answer[0].upper()}): how likely a six is answered with {answer}"
        chances = {branch.chance or 0.0 for branch in _answers_of(tree, answer)}
        thesis.add(number, "figures 3 and 4, equation 2", what, paper, partial(max, chances))
    for roll, branch in enumerate(tree.branches):
        paper = "1" if roll == SIX else "0"
        (call,) = branch.branches
        head = f"after accepting five, rolling {roll + 1}"
        for place, text, wins in (
            ("figure 3", f"{head}: a challenged six wins", call.branches[1].wins),
            ("figure 4, equation 1", f"{head}: calling six wins", call.wins),
            ("figure 5", f"{head} wins", branch.wins),
        ):
            thesis.add(number, place, text, paper, partial(float, wins))
    thesis.add(number, "figure 5, equation 3", "winning after accepting five", "0.166667", lambda: tree.wins)

    @thesis(number, "figure 6", 'the "accept five" tree inside the "accept four" tree', "0.166667")
    def uses() -> float:
        (five,) = {answer.wins for answer in _answers_of(sub_game(agent, 3), ACCEPT) if answer.wins < 1}
        return 1 - five


def _answers(thesis: Source, agent: TreeAgent) -> None:
    place = "3.3.1.1.2"
    lie = "a challenged six is a lie, if every roll calls six: 5/6"
    thesis.add(number, place, "rolling above a six", "0", lambda: agent.beaten[SIX])
    thesis.add(number, place, "weight of accepting a six", "0", lambda: agent.answers(SIX)[0])
    thesis.add(number, place, lie, "0.833333", lambda: agent.lies[SIX])
    thesis.add(number, place, "rolling what was called, 1/6", "0.166667",
               lambda: float(agent.game.chances[SIX]))  # fmt: skip
    thesis.add(number, place, "weight of challenging a six, 5/36", "0.138889", lambda: agent.answers(SIX)[1])
