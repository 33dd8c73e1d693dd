"""Each reason that is told of a loss with hidden dice is true where it is told: found again from the rules.

What the player cannot see is a set of cases: states with their weights, by the dice and by what the solved rival does.
"""

import re
from collections import defaultdict

import pytest

from dicewright.core.game import CHANCE, OVER, other
from dicewright.core.strategy import decide
from dicewright.families import family, solve
from dicewright.families.catalog import parse

P = r"(under 1|over 99|\d+) %"


def near(said, chance):
    if said == "under 1":
        return 0 < chance < 0.00501
    return chance > 0.99499 if said == "over 99" else abs(int(said) - 100 * chance) <= 0.501


def share(cases):
    return sum(cases.values())


def after(game, cases, action):
    found = defaultdict(float)
    for state, weight in cases.items():
        found[game.play(state, action)] += weight  # an accepted roll is forgotten
    return found


class Cases:
    """A seat against the solved rival, by the seven questions alone."""

    def __init__(self, game, solution, seat):
        self.game, self.seat, self.rival = game, seat, solution.strategies[other(seat)]

    def answered(self, cases):
        """What the rival says in these cases: for each action the cases that go on so."""
        found = defaultdict(lambda: defaultdict(float))
        for state, weight in cases.items():
            for action, part in decide(
                self.game, self.game.view(state, other(self.seat)), self.rival
            ).items():
                if part > 0:
                    found[action][self.game.play(state, action)] += weight * float(part)
        return found

    def seen(self, cases):
        """The cases once all dice are rolled, apart as the player sees them."""
        found = defaultdict(lambda: defaultdict(float))
        todo = list(cases.items())
        for state, weight in todo:
            if self.game.mover(state) == CHANCE:
                rolled = self.game.outcomes(state).items()
                todo += [(self.game.play(state, roll), weight * float(chance)) for roll, chance in rolled]
            else:
                found[self.game.view(state, self.seat)][state] += weight
        return found

    def wins(self, cases):
        """How much of the cases the player wins at best."""
        total = 0.0
        for view, mine in self.seen(cases).items():
            mover = self.game.mover(next(iter(mine)))
            if mover == OVER:
                sign = 1 if self.seat == 0 else -1
                total += sum(w for state, w in mine.items() if sign * self.game.payoff(state) > 0)
            elif mover == self.seat:
                total += max(self.wins(after(self.game, mine, a)) for a in self.game.actions(view))
            else:
                total += sum(map(self.wins, self.answered(mine).values()))
        return total

    def places(self, cases):
        """Every view in which the player decides and to which the rival may come, with its cases."""
        for view, mine in self.seen(cases).items():
            mover = self.game.mover(next(iter(mine)))
            if mover == self.seat:
                if len(actions := self.game.actions(view)) > 1:
                    yield view, {state: weight / share(mine) for state, weight in mine.items()}
                for action in actions:
                    yield from self.places(after(self.game, mine, action))
            elif mover != OVER:
                for rest in self.answered(mine).values():
                    yield from self.places(rest)


def reasons(name):
    """Every costly choice with its reason: the cases, what was chosen, what was best, the sentence."""
    game = parse(name)
    solution, kin, told = solve(game), family(game), set()
    for seat in (0, 1):
        table = Cases(game, solution, seat)
        for view, cases in table.places({game.start(): 1.0}):
            if view in told:
                continue
            told.add(view)
            advice = solution.advise(view)
            for choice, worth in advice.worth.items():
                if advice.worth[advice.best] - worth >= 0.01:
                    why = kin.why(game, solution, view, choice, advice.best)
                    yield table, cases, choice, advice.best, why


def bid_facts(table, cases, bid):
    """How often a bid is true, called, ended, ended in the bidder's favour; and what it wins once it is raised."""
    said = after(table.game, cases, bid)
    sign = -1 if table.seat == 0 else 1  # the rival calls
    true = sum(w for s, w in after(table.game, said, "call").items() if sign * table.game.payoff(s) < 0)
    answers = table.answered(said)
    ends = {word: rest for word, rest in answers.items() if isinstance(word, str)}
    ended, won = sum(map(share, ends.values())), sum(map(table.wins, ends.values()))
    raised = sum(table.wins(rest) for word, rest in answers.items() if word not in ends)
    return true, share(ends.get("call", {})), ended, won, raised / (1 - ended) if ended < 1 - 1e-9 else 0.0


@pytest.mark.parametrize(
    "name", ["bluff:sides=3", "bluff:dice=2v1,sides=2,spot_on=yes", "bluff:sides=3,order=fixed"]
)
def test_every_reason_in_bluff_is_true(name):
    kinds = set()
    for table, cases, choice, best, why in reasons(name):
        assert why
        kinds.add(re.sub(P, "#", why.split(";")[0]))
        if isinstance(choice, str):
            wins = table.wins(after(table.game, cases, choice))
            said = re.match(
                rf"Their bid is (?:true in {P} of cases, so calling wins only|exactly right in only) {P}", why
            )
            assert near(said[2], wins)
            assert said[1] is None or near(said[1], 1 - wins)
        else:
            true, called, ended, won, raised = bid_facts(table, cases, choice)
            if said := re.search(rf"this bid is true in {P} of cases.* they call it in {P}", why):
                assert near(said[1], true)
                assert near(said[2], called)
            if said := re.match(rf"They raise it in {P} of cases, and then you win only {P};", why):
                assert near(said[1], 1 - ended)
                assert near(said[2], raised)
            if said := re.match(rf"In {P} of cases they end the round on it and you win", why):
                assert near(said[1], won)
            if said := re.match(rf"They end the round on it in {P}", why):
                assert near(said[1], ended)
        if isinstance(best, str):
            assert near(re.search(rf"wins {P}\.$", why)[1], table.wins(after(table.game, cases, best)))
            continue
        true, called, ended, won, raised = bid_facts(table, cases, best)
        if said := re.search(rf"would be true in {P}, and they call that in {P}\.$", why):
            assert near(said[1], true)
            assert near(said[2], called)
        else:
            fact = raised if "They raise" in why else won if "you win" in why else ended
            assert near(re.search(rf"{P}\.$", why)[1], fact)
    assert len(kinds) >= 4


@pytest.mark.parametrize("name", ["liars-die:sides=4", "mia:sides=2"])
def test_every_reason_in_calling_games_is_true(name):
    kinds = set()
    for table, cases, choice, best, why in reasons(name):
        game = table.game
        assert why
        kinds.add(re.sub(rf"{P}|\d+", "#", why.split(";")[0]))
        view = game.view(next(iter(cases)), table.seat)
        if view.roll is None:
            wins = {action: table.wins(after(game, cases, action)) for action in ("accept", "challenge")}
            for said in re.findall(rf"true in (?:only )?{P}", why):
                assert near(said, 1 - wins["challenge"])
            assert near(re.search(rf"challenging wins (?:only )?{P}", why)[1], wins["challenge"])
            for said in re.findall(rf"accepting wins {P}|you win {P}", why):
                assert near("".join(said), wins["accept"])
            assert ("Nothing beats" in why) == (choice == "accept" and view.call == game.top)
            continue
        facts = []
        for call in (choice, best):
            answers = table.answered(after(game, cases, call))
            accepted = (
                table.wins(answers["accept"]) / share(answers["accept"]) if share(answers["accept"]) else 0.0
            )
            facts.append((game.true(view.roll, call), share(answers["challenge"]), accepted))
        one, two = facts
        said = re.findall(P, why)
        if "you were not forced" in why:
            assert (one[0], two[0]) == (False, True)
            assert near(said[0], one[1])
        elif "a lie too" in why:
            assert (one[0], two[0]) == (False, False)
            assert near(said[0], one[1])
            assert near(said[1], two[1])
        elif "Once they accept" in why:
            assert near(said[0], one[2])
            assert share(table.answered(after(game, cases, best))["accept"]) == 0 or near(said[1], two[2])
        else:
            assert (one[0], two[0]) == (True, True)
            assert near(said[0], one[1])
            assert near(said[1], two[1])
    assert len(kinds) >= 4
