"""Checkpoints and strategy files: killed, interrupted, damaged, read back."""

import json
import signal
import subprocess
import sys
import time
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicewright.analysis import exact
from dicewright.core.errors import StorageError, StrategyError, TooLarge, VerificationError
from dicewright.core.solution import Certificate, Solution
from dicewright.families.bluff.cfr import solve_cfr
from dicewright.families.bluff.packed_shares import GROUP, SPAN, PackedShares, of_groups, of_places, packed
from dicewright.families.bluff.public_tree import PublicTree
from dicewright.families.bluff.rows_form import TYPES
from dicewright.families.bluff.rules import Bluff, BluffView
from dicewright.families.bluff.solve import solve_bluff
from dicewright.families.catalog import parse
from dicewright.storage import solution_file, strategies
from dicewright.storage.checkpoints import Checkpoint
from dicewright.storage.solution_file import load_bluff, save_bluff
from dicewright.storage.store import shipped

GAME = Bluff(sides=5)
KILLED = """
import sys
from pathlib import Path
from dicewright.families.bluff.rules import Bluff, BluffView
from dicewright.families.bluff.cfr import solve_cfr
from dicewright.storage.checkpoints import Checkpoint
solve_cfr(Bluff(sides=5), gap=1e-9, iterations=10**9, checkpoint=Checkpoint(Path(sys.argv[1]), every=0.01))
"""


def iteration_of(path):
    with path.open("rb") as file:
        return json.loads(file.readline())["iteration"]


def weights(solution):
    return [strategy.weights.tobytes() for strategy in solution.strategies]


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path):
    path = tmp_path / "run"
    process = subprocess.Popen([sys.executable, "-c", KILLED, path])
    try:
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    done = iteration_of(path)
    assert done > 0
    resumed = solve_cfr(GAME, gap=1e-9, iterations=done + 50, checkpoint=Checkpoint(path))
    assert iteration_of(path) == done + 50
    straight = solve_cfr(GAME, gap=1e-9, iterations=done + 50)
    assert weights(resumed) == weights(straight)
    assert resumed.certificate == straight.certificate


def test_ctrl_c_keeps_the_checkpoint(tmp_path):
    path = tmp_path / "run"

    def interrupt(progress):
        if progress.iteration > 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_cfr(GAME, gap=1e-9, progress=interrupt, checkpoint=Checkpoint(path, every=0))
    assert iteration_of(path) >= 50


def test_a_finished_run_is_not_run_again(tmp_path):
    path, seen = tmp_path / "run", []
    solve_cfr(GAME, gap=0.05, checkpoint=Checkpoint(path))
    before = path.read_bytes()
    solve_cfr(GAME, gap=0.05, progress=seen.append, checkpoint=Checkpoint(path))
    assert path.read_bytes() == before
    assert len(seen) == 1


def test_checkpoints_of_other_runs_or_damaged_ones_are_refused(tmp_path):
    path = tmp_path / "run"
    solve_cfr(GAME, gap=0.1, checkpoint=Checkpoint(path))
    with pytest.raises(StorageError, match="is about rule discounted; cfr"):
        solve_cfr(GAME, gap=0.1, rule="cfr+", checkpoint=Checkpoint(path))
    with pytest.raises(StorageError, match="is about game bluff:sides=5; bluff:sides=4"):
        solve_cfr(Bluff(sides=4), gap=0.1, checkpoint=Checkpoint(path))
    whole = path.read_bytes()
    data = bytearray(whole)
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(StorageError, match="damaged"):
        solve_cfr(GAME, gap=0.1, checkpoint=Checkpoint(path))
    line, _, rest = whole.partition(b"\n")
    for wrong in (None, -1, "many", 1.5, True, [1]):
        header = {**json.loads(line), "iteration": wrong}
        path.write_bytes(json.dumps(header).encode() + b"\n" + rest)
        with pytest.raises(StorageError, match=r"its iteration is .*; a whole number from 0 on is allowed"):
            solve_cfr(GAME, gap=0.1, checkpoint=Checkpoint(path))
    for broken in (b"something else\n", b"[" * 100_000 + b"\n"):
        path.write_bytes(broken)
        with pytest.raises(StorageError, match="is no dicewright-checkpoint"):
            solve_cfr(GAME, gap=0.1, checkpoint=Checkpoint(path))


@pytest.mark.slow
def test_a_stored_strategy_is_small_and_certified_when_read(tmp_path):
    path, game = tmp_path / "bluff", Bluff(dice=(2, 1), sides=5)
    solution = solve_cfr(game, gap=1e-3)
    save_bluff(path, solution)
    stored = load_bluff(path)
    assert stored.game == game
    assert stored.certificate.proved
    assert solution.certificate.gap < stored.certificate.gap < 2e-3
    assert path.stat().st_size < sum(strategy.weights.nbytes for strategy in solution.strategies) / 10
    assert stored.strategies[0].weights.shares.dtype == np.uint16


def test_rounding_moves_shares_little(tmp_path):
    path, game = tmp_path / "bluff", Bluff(sides=3, spot_on=True)
    solution = solve_cfr(game, gap=0.01)
    save_bluff(path, solution, least=0.0)
    stored = load_bluff(path)
    for length in range(4):
        for said in combinations(game.bids[:-1], length):
            for hand in game.hands(0):
                view = BluffView(hand, said)
                before, after = (answer.strategies[length % 2](view) for answer in (solution, stored))
                for action, share in before.items():
                    assert after.get(action, 0) == pytest.approx(share, abs=1 / 50)


def test_damaged_strategy_files_are_refused(tmp_path):
    path = tmp_path / "bluff"
    save_bluff(path, solve_cfr(GAME, gap=0.1))
    whole = path.read_bytes()
    for damaged in (whole[:-10], whole[: len(whole) // 2] + bytes(40) + whole[len(whole) // 2 + 40 :], b""):
        path.write_bytes(damaged)
        with pytest.raises((StorageError, VerificationError)):
            load_bluff(path)


def test_only_rows_of_a_public_tree_can_be_stored(tmp_path):
    solution = solve_cfr(GAME, gap=0.1)
    other = Solution(GAME, "by hand", (lambda view: {}, lambda view: {}), solution.certificate)
    with pytest.raises(StorageError, match="by hand has no rows"):
        save_bluff(tmp_path / "bluff", other)


def forge(path, first=lambda shares: None, **fields):
    header, arrays = solution_file.read(path, TYPES, 10**6)
    size = PublicTree(parse(header["game"])).sizes[0]
    shares = np.asarray(of_places(arrays["first_places"], arrays["first_counts"], arrays["first"], size))
    first(shares)
    small = packed(shares)
    arrays |= {"first": small.shares, "first_places": small.places, "first_counts": small.counts}
    kept = {key: value for key, value in header.items() if key not in ("seal", "digest")}
    solution_file.write(path, kept | fields, arrays)


@pytest.mark.parametrize("name", ["deals", "first_top", "second_top"])
def test_worths_other_than_measured_are_refused(tmp_path, name, monkeypatch):
    monkeypatch.setattr("dicewright.families.bluff.worth.BELOW", 5)  # so that a small round has a top
    path = tmp_path / "bluff"
    save_bluff(path, solve_cfr(Bluff(sides=4), gap=0.05))
    header, arrays = solution_file.read(path, TYPES, 10**6)
    kept = {key: value for key, value in header.items() if key not in ("seal", "digest")}
    arrays[name][3 if name == "first_top" else 1] += 0.01  # node 3: two bids, FIRST moves
    solution_file.write(path, kept, arrays)
    load_bluff(path, measure=False)  # as written, by its digest
    with pytest.raises(VerificationError, match=f"other worths in {name}"):
        load_bluff(path)
    arrays[name] = arrays[name][:1]
    solution_file.write(path, kept, arrays)
    with pytest.raises(VerificationError, match=f"{name} has the shape"):
        load_bluff(path)


@given(size=st.integers(0, 900), data=st.data())
def test_packed_shares_are_the_same_again(size, data):
    rare = st.dictionaries(st.integers(0, max(0, size - 1)), st.integers(1, 255), max_size=9 if size else 0)
    shares = np.zeros(size, np.uint8)
    for place, share in data.draw(rare).items():
        shares[place] = share
    small = packed(shares)
    assert len(small.shares) == np.count_nonzero(shares)
    assert np.asarray(of_places(small.places, small.counts, small.shares, size)).tolist() == shares.tolist()
    for _ in range(5):
        start, stop = data.draw(st.integers(0, size + 1)), data.draw(st.integers(0, size + 1))
        step = data.draw(st.integers(1, 40))
        assert small[start:stop:step].tolist() == shares[start:stop:step].tolist()
    for parts in (
        (small.places, np.append(small.counts, np.uint16(0)), small.shares),
        (np.append(small.places, np.uint8(0)), small.counts, small.shares),
        (small.places, small.counts, np.append(small.shares, np.uint8(1))),
    ):
        with pytest.raises(ValueError, match="its places are not"):
            of_places(*parts, size)
    if size % SPAN:
        counts = small.counts.copy()
        counts[-1] += 1
        with pytest.raises(ValueError, match="a place beyond"):
            of_places(
                np.append(small.places, np.uint8(SPAN - 1)),
                counts,
                np.append(small.shares, np.uint8(1)),
                size,
            )


@given(size=st.integers(1, 900), data=st.data())
def test_shares_of_older_files_are_read(size, data):
    """Groups of 32 shares, and a bit for each that says whether it is kept."""
    groups = -(-size // GROUP)
    shares = np.zeros(groups * GROUP, np.uint8)
    for place in data.draw(st.sets(st.integers(0, size - 1), max_size=9)):
        shares[place] = 1 + place % 255
    there = shares.reshape(-1, GROUP).any(axis=1)
    bits, kept = (
        np.packbits(np.append(there, np.zeros(-groups % 8, bool))),
        shares.reshape(-1, GROUP)[there].ravel(),
    )
    assert np.asarray(of_groups(bits, kept, size)).tolist() == shares[:size].tolist()
    for wrong in ((bits, np.append(kept, np.uint8(1))), (np.append(bits, np.uint8(0)), kept)):
        with pytest.raises(ValueError, match="its groups are not"):
            of_groups(*wrong, size)


def test_a_bid_too_rare_to_keep_its_answers_is_not_made():
    """The bounds were 0.0109 wide where it was made, and answered by nothing but a call."""
    solution = solve_cfr(Bluff(dice=(2, 1), sides=4), gap=0.005)
    assert solution.rounded(1e-3).certificate.gap < 1.5 * solution.certificate.gap < 0.0075


def test_what_is_read_on_trust_stays_packed_and_answers_the_same(tmp_path, monkeypatch):
    """Nothing of the size of the tree is made, yet all views, worths and responses are those of the whole shares."""
    path, game = tmp_path / "bluff", Bluff(sides=4, spot_on=True)
    save_bluff(path, solve_cfr(game, gap=0.05), least=1e-3)
    whole, small = load_bluff(path), load_bluff(path, measure=False)
    monkeypatch.setattr(PackedShares, "__array__", None)  # advice and play must not ask for all of it
    for length in range(4):
        for said in combinations(game.bids[:-1], length):
            for hand in game.hands(length % 2):
                view = BluffView(hand, said)
                assert small.strategies[length % 2](view) == whole.strategies[length % 2](view)
                assert exact.advise(game, view, small) == exact.advise(game, view, whole)


def test_two_dice_each_are_read_within_forty_megabytes():
    """A server keeps them for everybody: unpacked, their 528 million shares took 170."""
    solution = load_bluff(shipped(Bluff(dice=(2, 2))), measure=False)
    parts = [
        getattr(strategy.weights, name)
        for strategy in solution.strategies
        for name in ("places", "shares", "before")
    ]
    assert sum(part.nbytes for part in parts) < 40e6


def test_openings_are_never_dropped(tmp_path):
    """With their mass lost the bounds would be false, yet proved: the round is worth -7/258."""
    path = tmp_path / "bluff"
    save_bluff(path, solve_cfr(Bluff(), gap=0.05), least=0.3)
    certificate = load_bluff(path).certificate
    assert certificate.lower <= Fraction(-7, 258) <= certificate.upper


def test_forged_strategy_files_are_refused(tmp_path):
    path, game = tmp_path / "bluff", Bluff(sides=4, wild_opens=False)
    solution = solve_cfr(game, gap=0.1)

    def no_opening_for_a_hand(shares):
        shares[: 8 * 4].reshape(8, 4)[:, 1] = 0

    def banned_opening(shares):
        shares[: 8 * 4].reshape(8, 4)[3, 1] = 1  # 1x4, the wild face

    for changed, said in ((no_opening_for_a_hand, "never opens"), (banned_opening, "may not open")):
        save_bluff(path, solution)
        forge(path, changed)
        with pytest.raises(VerificationError, match=said):
            load_bluff(path)
    for fields, said in (
        ({"lower": "0", "upper": "1/1000"}, "its strategies prove"),
        ({"lower": None}, "has a wrong header"),
        ({"upper": "1/0"}, "has a wrong header"),
        ({"least": "often"}, "has a wrong header"),
        ({"game": "nonsense:1"}, "has a wrong header: unknown game"),
        ({"game": "bluff:sides=0"}, "has a wrong header"),
        ({"game": 5}, "has a wrong header"),
    ):
        save_bluff(path, solution)
        forge(path, **fields)
        with pytest.raises(VerificationError, match=said):
            load_bluff(path)
    save_bluff(path, solution)
    forge(path, game="bluff:dice=5v5,sides=10")
    with pytest.raises(TooLarge, match="1,000,000,000 are allowed"):
        load_bluff(path)
    save_bluff(path, solution)
    forge(path, game="bluff:order=fixed")
    with pytest.raises(VerificationError, match="format bluff-rows-4 of bluff:order=fixed; bluff-weights-1"):
        load_bluff(path)
    save_bluff(path, solution)
    forge(path, game=None)
    with pytest.raises(StorageError, match="names no game"):
        load_bluff(path)
    solution_file.save(path, solve_bluff(game))
    with pytest.raises(StorageError, match="holds no strategies"):
        load_bluff(path)


def test_shares_of_another_shape_are_refused(tmp_path):
    path = tmp_path / "bluff"
    save_bluff(path, solve_cfr(GAME, gap=0.1))
    header, arrays = solution_file.read(path, TYPES, 10**6)
    for shares in (arrays["first"].reshape(1, -1), arrays["first"][:0]):
        solution_file.write(path, header, {**arrays, "first": shares})
        with pytest.raises(VerificationError, match="its places are not those"):
            load_bluff(path)


def test_bounds_that_cross_are_no_certificate():
    with pytest.raises(ValueError, match="hold no value"):
        Certificate(Fraction(1), Fraction(0), True, "by hand")


def test_a_saved_round_is_a_strategy(tmp_path):
    path, game = tmp_path / "bluff", Bluff(sides=3)
    save_bluff(path, solve_cfr(game, gap=0.01))
    saved = strategies.parse(f"table:{path}", game)
    assert str(saved) == f"table:{path}"
    bounds = load_bluff(path).certificate
    response = exact.best_response(game, saved)
    assert response.first_payoff == pytest.approx(float(bounds.upper))
    assert response.second_payoff == pytest.approx(-float(bounds.lower))
    assert bounds.lower <= exact.evaluate(game, saved, saved).a_first.payoff <= bounds.upper
    with pytest.raises(StrategyError, match="solves bluff:sides=3, not bluff:sides=4"):
        strategies.parse(f"table:{path}", Bluff(sides=4))
    with pytest.raises(StorageError, match="cannot read"):
        strategies.parse(f"table:{tmp_path / 'none'}", game)


def test_a_damaged_checkpoint_is_replaced_by_the_one_before(tmp_path, caplog):
    """The newest is damaged, as by a bad disk: the run goes on from the one before and ends at the same bytes."""
    path = tmp_path / "run"
    whole = solve_cfr(GAME, gap=1e-9, iterations=60)
    for iterations in (20, 40):
        solve_cfr(GAME, gap=1e-9, iterations=iterations, checkpoint=Checkpoint(path))
    before = path.with_name("run.before").read_bytes()
    assert before != path.read_bytes()
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    seen = []
    resumed = solve_cfr(
        GAME, gap=1e-9, iterations=60, progress=seen.append, checkpoint=Checkpoint(path, every=1e9)
    )
    assert "going on from the checkpoint before it" in caplog.text
    assert seen[0].iteration == 20
    assert resumed.certificate == whole.certificate
    assert resumed.strategies[0](GAME.read_view("1|")) == whole.strategies[0](GAME.read_view("1|"))


def test_the_one_before_stays_until_a_sound_one_is_written(tmp_path):
    path, about = tmp_path / "run", {"game": "test"}
    arrays = (np.arange(9.0),)
    for iteration in (1, 2):
        Checkpoint(path).save(about, iteration, arrays)
    path.write_bytes(path.read_bytes()[:-5])
    run = Checkpoint(path)
    assert run.load(about, arrays) == 1
    sound = path.with_name("run.before").read_bytes()
    run.save(about, 3, arrays)
    assert path.with_name("run.before").read_bytes() == sound
    run.save(about, 4, arrays)
    assert Checkpoint(path.with_name("run.before")).load(about, arrays) == 3


def test_two_damaged_checkpoints_are_refused(tmp_path):
    path = tmp_path / "run"
    for iterations in (20, 40):
        solve_cfr(GAME, gap=1e-9, iterations=iterations, checkpoint=Checkpoint(path))
    for each in (path, path.with_name("run.before")):
        each.write_bytes(each.read_bytes()[:-5])
    with pytest.raises(StorageError, match=r"run\.before is damaged"):
        solve_cfr(GAME, gap=1e-9, iterations=60, checkpoint=Checkpoint(path))
