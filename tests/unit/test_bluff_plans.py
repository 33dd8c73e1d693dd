"""Rounds of Bluff saved in fractions: the file holds what `value` proves, and is proved again when it is read."""

from fractions import Fraction

import numpy as np
import pytest

import dicewright as dw
from dicewright.core.errors import DicewrightError, StrategyError, TooLarge, VerificationError
from dicewright.families.bluff.cfr import solve_cfr
from dicewright.families.bluff.exact import Weights, as_fraction, best_reply, is_legal, win_or_lose
from dicewright.families.bluff.form import WEIGHTS
from dicewright.families.bluff.rules import Bluff, BluffView
from dicewright.families.bluff.solution import plan_types
from dicewright.families.catalog import parse
from dicewright.families.exact_numbers import as_fmpq, read_numbers
from dicewright.families.tree.solution import weight_types
from dicewright.storage import solution_file, strategies
from dicewright.storage.solution_file import save_bluff
from dicewright.storage.store import header_of, save_solution, solution_of, verify_solution

ROUNDS = [
    "bluff:sides=4",
    "bluff:sides=3,spot_on=yes",
    "bluff:dice=2v1,sides=2,wild=none",
    "bluff:sides=3,order=fixed",
]


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def saved(name, path):
    save_solution(parse(name), path)
    return path


def types_of(path):
    header = solution_file.read_header(path)
    return (weight_types if header["format"] == WEIGHTS else plan_types)(header)


def forge(path, change):
    """Change header and arrays, and seal the file again as if nothing had happened."""
    header, arrays = solution_file.read(path, types_of(path), 10**8)
    change(header, arrays)
    solution_file.write(path, header, arrays)


@pytest.mark.parametrize("name", ROUNDS)
def test_a_saved_round_holds_what_value_proves(name, tmp_path, store):
    game, path = parse(name), tmp_path / "round.npz"
    said = save_solution(game, path)
    value = header_of(game)
    assert value["exact"] is not None
    assert (said["exact"], said["proved"]) == (value["exact"], True)
    again = verify_solution(path)
    assert again.exact == Fraction(value["exact"])
    assert again.method == "exact best responses"


@pytest.mark.parametrize("name", ROUNDS)
def test_a_saved_round_plays_and_is_advised_as_it_was_solved(name, tmp_path, store):
    game, path = parse(name), saved(name, tmp_path / "round.npz")
    fresh, read = dw.solve(game), dw.load(path)
    table = strategies.parse(f"table:{path}", game)
    value = float(fresh.certificate.exact)
    assert dw.best_response(game, table).first_payoff == pytest.approx(value, abs=1e-12)
    assert dw.evaluate(game, table, table).a_first.payoff == pytest.approx(value, abs=1e-12)
    hand = next(iter(game.hands(0)))
    view = BluffView(hand)
    assert read.strategies[0].exact(view) == fresh.strategies[0].exact(view)
    assert dw.advise(game, view, read) == dw.advise(game, view, fresh)
    with pytest.raises(StrategyError, match=f"solves {name}"):
        strategies.parse(f"table:{path}", Bluff(sides=5))


def test_a_round_kept_in_the_store_is_saved_from_there(tmp_path, store, monkeypatch):
    game = Bluff(sides=3)
    solution_of(game)
    monkeypatch.setattr(
        "dicewright.families.catalog.solve", lambda *_, **__: pytest.fail("it was solved again")
    )
    assert save_solution(game, tmp_path / "round.npz")["exact"] == str(
        verify_solution(tmp_path / "round.npz").exact
    )


def test_files_by_cfr_that_were_written_before_are_still_read(tmp_path):
    path, game = tmp_path / "old.npz", Bluff(sides=4)
    save_bluff(path, solve_cfr(game, 0.01))
    bounds = verify_solution(path)
    assert bounds.proved
    assert bounds.lower < Fraction(1, 16) < bounds.upper
    assert strategies.parse(f"table:{path}", game)(BluffView((1,)))


def test_a_round_too_large_for_fractions_is_saved_by_cfr(tmp_path, store, monkeypatch):
    monkeypatch.setattr("dicewright.families.bluff.solve.MOST_SEQUENCES", 10)
    said = save_solution(Bluff(sides=3), tmp_path / "round.npz", gap=0.01)
    assert said["exact"] is None
    assert solution_file.read_header(tmp_path / "round.npz")["format"] == "bluff-rows-4"
    assert verify_solution(tmp_path / "round.npz").proved


def other_value(header, arrays):
    header["lower"] = header["upper"] = "1/15"


def wider(header, arrays):
    header["lower"] = "0"


def only_estimated(header, arrays):
    header["proved"] = False


def never_open(header, arrays):
    """The first player 'calls' before any bid: this weight would be lost, and the bounds false."""
    nothing, whole = places(arrays)
    arrays["first_reach"][1:] = nothing
    arrays["first_ends"][:] = nothing
    arrays["first_ends"][0, 0] = whole


def spot_on_where_there_is_none(header, arrays):
    _, whole = places(arrays)
    arrays["second_ends"][1, 3] = whole


def bid_twice(header, arrays):
    _, whole = places(arrays)
    arrays["first_reach"][1] = whole


def another_strategy(header, arrays):
    """The first player always opens with the highest bid: legal, and worth less."""
    nothing, whole = places(arrays)
    top = len(arrays["first_reach"]) // 2
    for mask in range(1, len(arrays["first_reach"])):
        arrays["first_reach"][mask] = whole if mask == top else nothing
    arrays["first_ends"][:] = nothing


def reply_nothing_known(header, arrays):
    arrays["first_reply"][0, 0] = 99


def call_before_a_bid(header, arrays):
    arrays["first_reply"][0, 0] = -1


def place_outside(header, arrays):
    arrays["first_reach"][0, 0] = 10**6


def place_below(header, arrays):
    arrays["first_reach"][0, 0] = -1


def no_number(header, arrays):
    arrays["numbers"] = np.frombuffer(b"1,0,one", np.uint8)


def no_fraction(header, arrays):
    arrays["numbers"] = np.frombuffer(b"1,0,1/0", np.uint8)


def endless_numbers(header, arrays):
    arrays["numbers"] = np.frombuffer(b"1," * 10**6 + b"1", np.uint8)


def other_round(header, arrays):
    header["game"] = "bluff:sides=3"


def other_rules(header, arrays):
    header["game"] = "bluff:sides=4,wild=none"


def tree_of_it(header, arrays):
    header["game"] = "bluff:sides=4,order=fixed"


def no_round(header, arrays):
    header["game"] = "pig"


def lack_a_field(header, arrays):
    del header["proof"]


def places(arrays):
    """Where 0 and 1 stand among the numbers."""
    numbers = arrays["numbers"].tobytes().decode().split(",")
    return numbers.index("0"), numbers.index("1")


FORGERIES = [
    other_value,
    wider,
    only_estimated,
    never_open,
    spot_on_where_there_is_none,
    bid_twice,
    another_strategy,
]
FORGERIES += [reply_nothing_known, call_before_a_bid, place_outside, place_below, no_number, no_fraction]
FORGERIES += [endless_numbers, other_round, other_rules, tree_of_it, no_round, lack_a_field]


@pytest.mark.slow
@pytest.mark.parametrize("change", FORGERIES)
def test_a_forged_round_is_refused_even_with_a_new_digest(change, tmp_path, store):
    path = saved("bluff:sides=4", tmp_path / "round.npz")
    forge(path, change)
    with pytest.raises(VerificationError):
        verify_solution(path)
    with pytest.raises(DicewrightError):
        strategies.parse(f"table:{path}", Bluff(sides=4))


def shorter(header, arrays):
    arrays["first"] = arrays["first"][:5]


def huge_tree(header, arrays):
    header["game"] = "bluff:dice=5v5,sides=10,order=fixed"


def other_weights(header, arrays):
    arrays["first"][1:] = arrays["first"][0]


def no_weights(header, arrays):
    arrays["first"] = arrays["first"][:0]


def square_weights(header, arrays):
    arrays["first"] = arrays["first"].reshape(1, -1)


def no_name(header, arrays):
    header["game"] = "nonsense:1"


@pytest.mark.parametrize(
    "change",
    [
        other_value,
        wider,
        shorter,
        huge_tree,
        other_weights,
        no_weights,
        square_weights,
        no_name,
    ],
)
def test_a_forged_round_with_a_fixed_face_is_refused(change, tmp_path, store):
    path = saved("bluff:sides=3,order=fixed", tmp_path / "round.npz")
    forge(path, change)
    with pytest.raises(VerificationError):
        verify_solution(path)


def test_a_file_of_a_round_that_is_never_solved_exactly_is_refused(tmp_path, store):
    path = saved("bluff:sides=4", tmp_path / "round.npz")
    forge(path, lambda header, arrays: header.update(game="bluff:dice=2v2"))
    with pytest.raises(TooLarge, match="more than the 700,000"):
        verify_solution(path)


def test_weight_that_is_lost_before_the_first_bid_proves_nothing(tmp_path, store):
    """One die each is worth -7/258; a player who never opens would seem to get 0, and all bounds would agree."""
    path, game = saved("bluff", tmp_path / "round.npz"), Bluff()

    def change(header, arrays):
        never_open(header, arrays)
        nothing, whole = places(arrays)
        for mask in range(1, len(arrays["second_reach"])):  # the second player always calls
            first_bid = mask.bit_count() == 1
            arrays["second_reach"][mask] = whole if first_bid else nothing
            arrays["second_ends"][:, mask] = nothing
            arrays["second_ends"][0, mask] = whole if first_bid else nothing
        tables = win_or_lose(game)
        numbers = read_numbers(arrays, ("second_reach", "second_ends"), as_fmpq)
        calls = Weights(numbers["second_reach"], numbers["second_ends"])
        assert is_legal(tables, 1, calls)
        header["lower"], header["upper"] = "0", str(as_fraction(best_reply(tables, 0, calls).value))
        assert Fraction(header["upper"]) > 0

    forge(path, change)
    with pytest.raises(VerificationError, match="break the rules"):
        verify_solution(path)
