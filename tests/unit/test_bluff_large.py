"""Large rounds of Bluff: strategies that forget, measured, and matches played by compiled code."""

from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random

import numpy as np
import pytest
from tests.reference.forgetful import best_by_the_book, table_strategy, value_by_the_book

from dicewright.analysis.analyse import analyse
from dicewright.arena.simulate import _python, play_blocks
from dicewright.arena.table import play_game
from dicewright.core.errors import StorageError
from dicewright.core.game import CHANCE, OVER
from dicewright.core.lessons import Taught
from dicewright.families import solve
from dicewright.families.bluff.large import trained as trained_module
from dicewright.families.bluff.large.books import book_of, rounds_of
from dicewright.families.bluff.large.lessons import RARE, packed_again
from dicewright.families.bluff.large.memory import HINTS, WHOLE, Memory
from dicewright.families.bluff.large.play import match_engine
from dicewright.families.bluff.large.reach import SLIP, believed, reach
from dicewright.families.bluff.large.table import EXACT, STEPS, Reach, Shares, as_bytes, from_bytes
from dicewright.families.bluff.large.trained import Rounds, Trained, trained_match
from dicewright.families.bluff.large.training import Schedule, Training
from dicewright.families.bluff.large.worth import TrainedRound, round_value
from dicewright.families.bluff.match import BluffMatch
from dicewright.families.bluff.match_solution import standings
from dicewright.families.bluff.rules import Bluff, BluffState, BluffView
from dicewright.families.bluff.strategies import RandomBluff, call_below_rounds, truthful_rounds
from dicewright.families.catalog import parse
from dicewright.storage.checkpoints import Checkpoint

ROUNDS = (
    Bluff((1, 1), sides=3),
    Bluff((2, 1), sides=2),
    Bluff((1, 2), sides=2, wild="ones", order="dudo", wild_opens=False),
    Bluff((2, 1), sides=3, wild="none", order="fixed"),
)


def trained(memory: Memory, iterations: int) -> Shares:
    training = Training(memory, Schedule(iterations))
    training.run()
    return Shares(memory, training.average())


def rounds(match: BluffMatch) -> Rounds:
    made = cache(lambda game: TrainedRound(table := trained(Memory(game, 2), 5), round_value(table)))
    return Rounds(match, made, lambda game: made(game).value, lambda game: None)


def states_of(record):
    states = [record.game.start()]
    for choice in record.choices:
        states.append(record.game.play(states[-1], choice))
    return states


def played_out(game: Bluff, table, state) -> float:
    """The payoff to the opener by the rules alone, the table on both seats."""
    mover = game.mover(state)
    if mover == OVER:
        return game.payoff(state)
    view = game.view(state, mover) if mover != CHANCE else None
    ways = game.outcomes(state) if view is None else table(view)
    return sum(
        float(share) * played_out(game, table, game.play(state, choice)) for choice, share in ways.items()
    )


@pytest.mark.parametrize("game", ROUNDS, ids=lambda game: game.name)
def test_estimates_are_what_the_table_gets_from_itself(game):
    """State by state, and view by view with the hands of the other weighed by its bids."""
    table = from_bytes(memory := Memory(game, 2, least=0.05), as_bytes(trained(memory, 4)))
    solved = TrainedRound(table, round_value(table))
    assert solved.worth(game.start()) == pytest.approx(played_out(game, table, game.start()), abs=1e-5)
    rng = Random(1)
    for _ in range(30):
        state = game.start()
        while (mover := game.mover(state)) != OVER:
            assert solved.worth(state) == pytest.approx(played_out(game, table, state), abs=1e-5)
            if mover == CHANCE:
                state = game.play(state, rng.choice(list(game.outcomes(state))))
                continue
            view = game.view(state, mover)
            advice = solved.advise(view)
            weights = {}
            for hand, ways in game.hands(1 - mover).items():
                weights[hand] = float(ways)
                for turn in range(1 - mover, len(view.said), 2):
                    weights[hand] *= table(BluffView(hand, view.said[:turn])).get(view.said[turn], 0.0)
            if advice.reached:
                for action, worth in advice.worth.items():
                    gets = 0.0
                    for hand, weight in weights.items():
                        hands = (view.mine, hand) if mover == 0 else (hand, view.mine)
                        after = game.play(BluffState(hands, view.said), action)
                        gets += weight * played_out(game, table, after)
                    gets /= sum(weights.values())
                    assert worth == pytest.approx((1 + (gets if mover == 0 else -gets)) / 2, abs=1e-5)
            state = game.play(state, rng.choice(list(game.actions(view))))


@pytest.mark.parametrize("text", ["bluff-match:dice=2v2,sides=2", "perudo:dice=2v1,sides=2"])
def test_a_match_judged_by_what_was_trained_adds_up(text):
    """Start, luck and losses make the result; every worth says that it is an estimate."""
    match = parse(text)
    judge = trained_match(rounds(match))
    record = play_game(match, (judge.player, truthful_rounds(match)), Random(3))
    found = analyse(record, judge)
    one, two = found.figures
    assert found.start + one.luck + one.hidden_luck - one.loss + two.loss == pytest.approx(found.end)
    assert one.loss == 0.0  # what the tables do themselves is held against nobody
    assert 0 < found.document()["estimate"] <= judge.estimated
    assert "stimate" in found.document()["sentences"][-1]
    state = next(state for state in states_of(record) if match.mover(state) in (0, 1))
    assert "Estimates" in judge.advise(match.view(state, match.mover(state))).note


def test_the_exact_solution_of_a_round_is_used_where_it_is_at_hand():
    match = BluffMatch((2, 1), sides=2)
    solved = {game: solve(game) for game in rounds_of(match).values()}
    worths = {game: solution.certificate.value for game, solution in solved.items()}
    known = trained_match(replace(rounds(match), exact=solved.get, value_of=worths.get))
    assert known.certificate.value == pytest.approx(solve(match).certificate.value)
    view = match.read_view("1,2 |")
    assert known.advise(view).worth == pytest.approx(solve(match).advise(view).worth)
    assert not known.advise(view).note


def test_the_rounds_that_may_be_next_are_read_while_one_is_played(monkeypatch):
    """A file takes longer to read than a decision may."""
    match, seen = parse("bluff-match:dice=2v2,sides=2"), []

    def read(game):
        seen.append(game.dice)
        if game.dice == (1, 2):
            raise StorageError("damaged")
        return TrainedRound(trained(Memory(game, 2), 1), 0.0)

    class AtOnce:
        def __init__(self, target, args, daemon):
            self.start = lambda: target(*args)

    monkeypatch.setattr(trained_module, "Thread", AtOnce)
    rounds = Rounds(match, read, lambda game: 0.0, lambda game: None)
    player, view = (
        Trained(match, rounds),
        match.view(match.play(match.play(match.start(), (1, 2)), (1, 1)), 0),
    )
    mix = player(view)
    assert seen == [
        (2, 2),
        (1, 2),
        (1, 2),
    ]  # who has lost a die opens: the other way it is (2, 1) to the second
    assert player(view) == mix
    assert len(seen) == 3
    with pytest.raises(StorageError, match="damaged"):
        rounds.table(match.round_of(next(one for one in rounds if match.round_of(one).dice == (1, 2))))


@pytest.mark.parametrize("game", ROUNDS, ids=lambda game: game.name)
def test_measures_agree_with_the_book(game):
    """The slow twin knows the seven questions only."""
    table, other = trained(Memory(game, 2, least=0.0), 3), trained(Memory(game, 1, jump=2, least=0.05), 4)
    hinted = [trained(Memory(game, 2, 2, 0.0, hint), 3) for hint in HINTS[1:]]
    for each in (table, other, *hinted):
        strength = each.strength(EXACT)
        assert strength.first == pytest.approx(best_by_the_book(game, 0, table_strategy(each)), abs=1e-5)
        assert strength.second == pytest.approx(best_by_the_book(game, 1, table_strategy(each)), abs=1e-5)
        cut = each.strength(Reach(1, 2, 1e-2))
        assert cut.first <= strength.first + 1e-9
        assert cut.second <= strength.second + 1e-9
    met, lost = table.meet(other, 0.0)
    assert lost == 0.0
    assert met == pytest.approx(
        value_by_the_book(game, table_strategy(table), table_strategy(other)), abs=1e-5
    )


@pytest.mark.slow
def test_all_bids_remembered_is_an_equilibrium():
    """Bluff with one die each, six sides, is worth -7/258 (about -.0271) to the opener."""
    strength = trained(Memory(Bluff(), WHOLE, least=0.0), 120).strength(EXACT)
    assert strength.exploitability < 0.003
    assert -strength.second <= -7 / 258 <= strength.first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hint", "own", "most"), [("none", "even", 0.08), ("face", "made", 0.012), ("face", "pairs", 0.012)]
)
def test_the_face_of_the_bid_before_makes_a_table_much_stronger(hint, own, most):
    """Bids of the learner weighed as made besides: each alone gains less (docs/five-dice.md)."""
    training = Training(Memory(Bluff(), 2, hint=hint), Schedule(60, own=own))
    training.run()
    assert most / 2 < Shares(training.memory, training.average()).strength(EXACT).exploitability < most


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("game", ROUNDS)
@pytest.mark.parametrize(("whole", "hint"), [(1, "none"), (2, "face")])
def test_a_hand_believes_what_its_own_bids_in_merged_histories_say(game, whole, hint, player):
    memory, random = Memory(game, whole, least=0.0, hint=hint), np.random.default_rng(5)
    shares = {g: random.dirichlet(np.ones(m), (n, h)).transpose(0, 2, 1).astype(np.float32)
              for g in memory.groups for n, m, h in [memory.shape(*g)]}  # fmt: skip
    seen = {g: np.zeros((len(part), 2, *map(len, memory.ways))) for g, part in shares.items()}

    def walk(mover, last, row, one, two):
        seen[mover, last][row, 0] += np.outer(one, two)
        own = (one, np.ones_like(two)) if player == 0 else (np.ones_like(one), two)
        seen[mover, last][row, 1] += np.outer(*own)
        for later in np.flatnonzero(memory.allowed(last)).tolist():
            made = shares[mover, last][row, 1 + later] + (SLIP if mover == player else 0.0)
            after = (one * made, two) if mover == 0 else (one, two * made)
            walk(1 - mover, last + 1 + later, memory.children[mover, last][row, later], *after)

    walk(0, -1, 0, *(np.ones(len(ways)) for ways in memory.ways))
    for (mover, last), found in believed(memory, shares, player).items():
        come, often = seen[mover, last][:, 0], seen[mover, last][:, 1]
        weights = (come / np.maximum(often, 1e-30)).transpose((0, 1, 2) if player == 0 else (0, 2, 1))
        assert mover == player
        np.testing.assert_allclose(found, weights * memory.ways[1 - player], rtol=1e-4, atol=1e-7)


def test_hands_that_hardly_come_to_a_place_do_what_is_likeliest():
    training = Training(memory := Memory(Bluff((2, 1), sides=3), 2, hint="face"), Schedule(20))
    training.run()
    plain, simple = training.average(), training.average(rare=0.05)
    reaches = [reach(memory, plain, player) for player in (0, 1)]
    for (mover, last), shares in simple.items():
        rare = (reaches[mover][mover, last] < 0.05)[:, None]
        before = plain[mover, last]
        assert np.array_equal(np.where(rare, before, shares), before)
        assert np.where(rare, shares.max(1, initial=0.0, keepdims=True), 1.0).all()
        assert np.where(rare, np.isin(shares, (0.0, 1.0)), True).all()
    one, two = (Shares(memory, shares).strength(EXACT).exploitability for shares in (plain, simple))
    assert abs(one - two) < 0.01


def test_what_was_trained_is_packed_again_by_the_rule_of_rare_hands():
    training = Training(memory := Memory(Bluff((2, 1), sides=3), 2, hint="face"), Schedule(20))
    training.run()
    header = {"memory": [2, WHOLE, memory.least, "face"], "iterations": 20}
    before = Shares(memory, training.average())
    taught = packed_again(memory.game, Taught(header, {"shares": as_bytes(before)}))
    after = from_bytes(memory, taught.arrays["shares"])
    strength = after.strength()
    assert taught.header["at_least"] == [strength.first, strength.second]
    assert taught.header["value"] == round_value(after)
    assert taught.header["iterations"] == 20
    whole = {
        group: part / np.float32(STEPS) for group, part in from_bytes(memory, as_bytes(before)).shares.items()
    }
    for group, shares in after.shares.items():
        rare = (reach(memory, whole, group[0])[group] < RARE)[:, None]
        assert np.array_equal(np.where(rare, 0, shares), np.where(rare, 0, whole[group] * STEPS).round())
        assert np.where(rare, np.isin(shares, (0, STEPS)), True).all()


def test_a_training_that_is_killed_ends_at_the_same_bytes(tmp_path):
    memory = Memory(Bluff((2, 1), sides=3), 2)
    straight, killed, again = (Training(memory, Schedule(6)) for _ in range(3))
    straight.run()

    def kill(done: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        killed.run(kill, Checkpoint(tmp_path / "round", every=0.0))
    heard: list[int] = []
    again.run(heard.append, Checkpoint(tmp_path / "round", every=0.0))
    assert heard == [5, 6]
    for group, shares in straight.average().items():
        assert np.array_equal(shares, again.average()[group])
    with pytest.raises(StorageError, match="memory"):
        Training(Memory(memory.game, 1), Schedule(6)).run(checkpoint=Checkpoint(tmp_path / "round"))


def test_bytes_keep_a_table():
    table = trained(Memory(Bluff((2, 1), sides=3), 2), 20)
    again = from_bytes(table.memory, as_bytes(table))
    assert again.strength(EXACT).exploitability == pytest.approx(
        table.strength(EXACT).exploitability, abs=0.01
    )
    for group, shares in again.shares.items():
        assert (shares.sum(1, dtype=int) == 255).all()
        assert abs(shares / 255 - table.shares[group]).max(initial=0.0) <= 1 / 255
    with pytest.raises(ValueError, match="shares"):
        from_bytes(table.memory, as_bytes(table)[:-1])


@pytest.mark.parametrize("rules", [{}, {"wild": "ones", "order": "dudo", "palifico": True}], ids=str)
def test_the_trained_player_plays_matches(rules):
    """In Python and compiled alike; five standard errors: wrong once in a million."""
    match = BluffMatch((2, 2), sides=2, **rules)
    player = trained_match(rounds(match)).strategies[0]
    pair = player, truthful_rounds(match)
    quick = play_blocks(match_engine(match, *pair), 20_000, np.random.SeedSequence(1))
    slow = play_blocks(_python(match, *pair), 300, np.random.SeedSequence(2))
    assert abs(quick.a_rate - slow.a_rate) < 5 * sqrt(0.25 / 300)
    assert quick.a_rate > 0.5


MATCHES = (
    BluffMatch((2, 1)),
    BluffMatch((2, 1), wild="ones", order="dudo", palifico=True, opens="winner", loss="difference"),
    BluffMatch((2, 2), loss="give", opens="alternate", wild_opens=False),
)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.name)
def test_compiled_matches_agree_with_those_in_python(match):
    """Five standard errors: wrong once in a million."""
    pair = RandomBluff(match), call_below_rounds(match, 0.3)
    quick = play_blocks(match_engine(match, *pair), 20_000, np.random.SeedSequence(1))
    slow = play_blocks(_python(match, *pair), 300, np.random.SeedSequence(2))
    assert abs(quick.a_rate - slow.a_rate) < 5 * sqrt(0.25 / 300)


@pytest.mark.parametrize("match", [*MATCHES, BluffMatch((3, 1), sides=2)], ids=lambda match: match.name)
def test_the_rounds_of_a_match_are_all_that_it_comes_to(match):
    reached = {match.round_of(standing) for standing in standings(match)}
    assert reached <= set(rounds_of(match).values())


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.name)
def test_books_say_what_the_rules_of_thumb_do(match):
    rng = Random(1)
    for player in (truthful_rounds(match), call_below_rounds(match, 0.45)):
        shares, offsets, *_, actions, _ = book_of(match, player).parts
        state = match.start()
        for _ in range(60):
            mover = match.mover(state)
            if mover < 0:
                state = (
                    match.start()
                    if match.winner(state.standing) is not None
                    else match.play(state, rng.choice(list(match.outcomes(state))))
                )
                continue
            view = match.view(state, mover)
            game = match.round_of(view.standing)
            seat, last = len(view.now.said) % 2, game.bids.index(view.now.said[-1]) if view.now.said else -1
            number = (game.dice[0] - 1) * 5 + game.dice[1] - 1 + 25 * view.standing.fixed
            hands = list(game.hands(seat))
            at = offsets[number, seat, last + 1] + hands.index(view.now.mine)
            row = shares[at : at + actions[number, last + 1] * len(hands) : len(hands)]
            (action,) = player(view)
            assert row[0 if isinstance(action, str) else game.bids.index(action) - last] == 1.0
            state = match.play(state, rng.choice(list(match.actions(view))))
