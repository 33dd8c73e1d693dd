"""Johnson's sub-game trees (figures 2 to 6) whole, and every probability of them that the text gives.

Our copy has lost the pictures. A tree is the game after a call was accepted: roll, call, answer; all
probabilities are the tree agent's, for the player who rolls.
"""

from collections.abc import Iterator
from functools import partial

from ..families.calling.rules import ACCEPT, CHALLENGE, NOTHING, CallingGame
from ..families.calling.strategies import TreeAgent
from ..families.catalog import parse as game
from .claims import JOHNSON, Branch, Claim, Found, GameTree, equal
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


def claims(rules: CallingGame) -> Iterator[Claim]:
    """Section 3.3.1: what the text says of the trees."""
    agent = TreeAgent(rules)
    yield from _structure(agent)
    yield from _accept_five(agent)
    yield from _answers(agent)

    def roots(reading: TreeAgent) -> str:
        return ", ".join(f"{_after(call)} {reading.roots[call]:.6f}" for call in NAMES)

    yield shown(JOHNSON, "figure 6", "winning after accepting five, then four, ..., by the equations",
                partial(roots, agent), "a picture without numbers")  # fmt: skip
    yield shown(JOHNSON, "4.1", "the same by the pseudocode", partial(roots, TreeAgent(rules, "pseudocode")),
                "not printed")  # fmt: skip


def _after(call: int) -> str:
    return "start" if call == NOTHING else f"after {call + 1}"


def _structure(agent: TreeAgent) -> Iterator[Claim]:
    def shape() -> Found:
        rolls = sub_game(agent, FIVE).branches
        calls = {tuple(call.label for call in roll.branches) for roll in rolls}
        answers = {tuple(each.label for each in call.branches) for roll in rolls for call in roll.branches}
        words = (" or ".join(sorted(" or ".join(each) for each in found)) for found in (calls, answers))
        text = "{} rolls; each: {}; then: {}".format(len(rolls), *words)
        return text, (len(rolls), calls, answers) == (6, {("call 6",)}, {(ACCEPT, CHALLENGE)})

    yield fact(
        JOHNSON, "figure 2", "after accepting five: rolls, calls and answers", "a six is the only call", shape
    )

    def each(check: str) -> Found:
        """Whether a rule of the text holds everywhere in the six trees."""
        found = []
        for tree in (sub_game(agent, accepted) for accepted in NAMES):
            found += {
                "leaves": [answer.wins in (0, 1) for answer in _answers_of(tree, CHALLENGE)],
                "equation 1": [
                    equal(call.wins, sum((answer.chance or 0) * answer.wins for answer in call.branches))
                    for roll in tree.branches
                    for call in roll.branches
                ],
                "highest": [roll.wins == max(call.wins for call in roll.branches) for roll in tree.branches],
                "equation 3": [equal(tree.wins, sum(roll.wins for roll in tree.branches) / 6)],
            }[check]
        return f"in {sum(found)} of {len(found)} places of the six trees", all(found)

    yield fact(
        JOHNSON, "3.3.1.1.1", "a challenged call wins with one or zero", "always", partial(each, "leaves")
    )
    yield fact(
        JOHNSON, "equation 1", "a call wins as its two answers do", "every call", partial(each, "equation 1")
    )
    yield fact(
        JOHNSON, "3.3.1.1.1", "a roll wins as its best call does", "every roll", partial(each, "highest")
    )
    yield fact(
        JOHNSON,
        "equation 3",
        "a tree wins as its rolls do on average",
        "every tree",
        partial(each, "equation 3"),
    )


def _answers_of(tree: Branch, label: str) -> list[Branch]:
    return [
        answer
        for roll in tree.branches
        for call in roll.branches
        for answer in call.branches
        if answer.label == label
    ]


def _accept_five(agent: TreeAgent) -> Iterator[Claim]:
    tree = sub_game(agent, FIVE)
    yield number(JOHNSON, "3.3.1", "winning after accepting a six", "0", lambda: agent.roots[SIX])
    for answer, paper in ((ACCEPT, "0"), (CHALLENGE, "1")):
        what = f"P({answer[0].upper()}): how likely a six is answered with {answer}"
        chances = {branch.chance or 0.0 for branch in _answers_of(tree, answer)}
        yield number(JOHNSON, "figures 3 and 4, equation 2", what, paper, partial(max, chances))
    for roll, branch in enumerate(tree.branches):
        paper = "1" if roll == SIX else "0"
        (call,) = branch.branches
        head = f"after accepting five, rolling {roll + 1}"
        leaf = call.branches[1].wins
        yield number(JOHNSON, "figure 3", f"{head}: a challenged six wins", paper, partial(float, leaf))
        yield number(
            JOHNSON, "figure 4, equation 1", f"{head}: calling six wins", paper, partial(float, call.wins)
        )
        yield number(JOHNSON, "figure 5", f"{head} wins", paper, partial(float, branch.wins))
    yield number(
        JOHNSON, "figure 5, equation 3", "winning after accepting five", "0.166667", lambda: tree.wins
    )

    def uses() -> float:
        (five,) = {answer.wins for answer in _answers_of(sub_game(agent, 3), ACCEPT) if answer.wins < 1}
        return 1 - five

    yield number(
        JOHNSON, "figure 6", 'the "accept five" tree inside the "accept four" tree', "0.166667", uses
    )


def _answers(agent: TreeAgent) -> Iterator[Claim]:
    place = "3.3.1.1.2"
    yield number(JOHNSON, place, "rolling above a six", "0", lambda: agent.beaten[SIX])
    yield number(JOHNSON, place, "weight of accepting a six", "0", lambda: agent.answers(SIX)[0])
    yield number(JOHNSON, place, "a challenged six is a lie, if every roll calls six: 5/6", "0.833333",
                 lambda: agent.lies[SIX])  # fmt: skip
    yield number(
        JOHNSON, place, "rolling what was called, 1/6", "0.166667", lambda: float(agent.game.chances[SIX])
    )
    yield number(
        JOHNSON, place, "weight of challenging a six, 5/36", "0.138889", lambda: agent.answers(SIX)[1]
    )
