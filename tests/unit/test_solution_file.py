"""Solutions of every family in files: read back as they were, proved again, and refused where they are forged."""

import ast
import hashlib
import json
import pickle
import zipfile
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from tests.reference.levels import CHANCE, FIRST, SECOND, Levels

import dicewright as dw
from dicewright.core.errors import StorageError, StrategyError, VerificationError
from dicewright.core.solution import Certificate, Solution
from dicewright.families import family, solve
from dicewright.families.bluff.match_form import endless
from dicewright.families.bluff.match_solution import standings
from dicewright.families.bluff.match_solve import _solve_standing
from dicewright.storage import solution_file, strategies
from dicewright.storage.solution_file import is_named
from dicewright.storage.store import SHIPPED

OWN = Levels((CHANCE, FIRST, SECOND), (2, 2, 3), (frozenset(), frozenset({0, 1})), seed=5)
CHAIN, BOTTOM_UP = "bluff-match:dice=2v1,sides=2,loss=give", "bluff-match:dice=2v1,sides=2,palifico=yes"
SWEEPS = "bluff-match:dice=2v1,sides=2,wild=ones,wild_bids=no,loss=give"  # and a part of it need not end
CLOSED = "liars-die:sides=40"  # of too many ranks for a table
NAMES = ["mia", CLOSED, "mia:sides=3,keep=yes", "kuhn-poker", CHAIN, BOTTOM_UP, SWEEPS]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A saved solution of each, by name."""
    folder = tmp_path_factory.mktemp("files")
    found = {}
    for number, name in enumerate([*NAMES, "own"]):
        found[name] = folder / f"{number}.npz"
        dw.save(found[name], solve(OWN if name == "own" else dw.game(name)), 1.5)
    return found


def forged(files, name, path, change):
    """A copy with header and arrays changed, and sealed again as if nothing had happened."""
    header = solution_file.read_header(files[name])
    game = OWN if name == "own" else dw.game(name)
    header, arrays = solution_file.read(files[name], family(game).form(game, header).types(header), 10**8)
    arrays = dict(arrays)
    change(header, arrays)
    solution_file.write(path, {key: header[key] for key in header if key not in ("seal", "digest")}, arrays)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_what_was_saved_is_read_back_and_proved_again(name, files):
    game, path = dw.game(name), files[name]
    solution = solve(game)
    for read in (dw.load(path), dw.load(str(path), name), dw.load(path, prove=True)):
        assert (read.game, read.method) == (game, solution.method)
        assert (read.certificate.lower, read.certificate.upper) == (
            solution.certificate.lower,
            solution.certificate.upper,
        )
        assert read.arrays()[0] == solution.arrays()[0] | {"proof": read.certificate.method}
    assert dw.load(path).certificate == solution.certificate
    assert dw.verify(str(path)).gap == solution.certificate.gap
    with pytest.raises(VerificationError, match=r"solves .*, not pig"):
        dw.verify(path, "pig")


@pytest.mark.parametrize("name", ["mia", "mia:sides=3,keep=yes", BOTTOM_UP])
def test_a_saved_solution_is_a_strategy(name, files):
    game = dw.game(name)
    table = strategies.parse(f"table:{files[name]}", game)
    assert str(table) == f"table:{files[name]}"
    value = dw.load(files[name]).certificate.value
    assert dw.evaluate(game, table, table).a_first.payoff == pytest.approx(value, abs=1e-9)
    with pytest.raises(StrategyError, match=f"solves {name}, not mia:sides=4"):
        strategies.parse(f"table:{files[name]}", dw.game("mia:sides=4"))


def number(arrays, value):
    """The place of a number, which is added to the others if it is none of them."""
    texts = arrays["numbers"].tobytes().decode().split(",")
    if value not in texts:
        texts.append(value)
    arrays["numbers"] = np.frombuffer(",".join(texts).encode(), np.uint8)
    return texts.index(value)


def put(name, place, value):
    """A change of one exact number."""

    def change(header, arrays):
        arrays[name] = arrays[name].copy()
        arrays[name][place] = number(arrays, value)

    return change


def shift(name, place, value):
    """A change of another number."""

    def change(header, arrays):
        arrays[name] = arrays[name].copy()
        arrays[name][place] = value

    return change


def say(**fields):
    return lambda header, arrays: header.update(fields)


def lack(field):
    return lambda header, arrays: header.pop(field)


def cut(name, count=-1):
    def change(header, arrays):
        arrays[name] = arrays[name][:count]

    return change


def text(numbers):
    def change(header, arrays):
        arrays["numbers"] = np.frombuffer(numbers, np.uint8)

    return change


def nearly_true(header, arrays):
    """The first rank that tells the truth calls the one above it now and then: legal, and worth less."""
    row = next(place for place, each in enumerate(arrays["calls"]) if len(set(each.tolist())) == 2)
    half = number(arrays, "1/2")
    arrays["calls"] = arrays["calls"].copy()
    arrays["calls"][row, -2:] = half
    arrays["calls"][row, :-2] = number(arrays, "0")


def forget(header, arrays):
    """Nothing is believed of calls that solved play never makes."""
    arrays["slips"] = np.full_like(arrays["slips"], number(arrays, "0"))


def trade_rounds(header, arrays):
    """The same rounds, each at another standing that has the same rules."""
    arrays["first"] = arrays["first"][::-1].copy()


def more_rounds(header, arrays):
    header["rounds"] = header["rounds"] * 2


def round_shape(shape):
    def change(header, arrays):
        header["rounds"][0]["shapes"] = dict.fromkeys(header["rounds"][0]["shapes"], shape)

    return change


def reply_nothing(header, arrays):
    arrays["bluff-plans-1.first_reply"] = np.full_like(arrays["bluff-plans-1.first_reply"], 99)


def shift_match(by):
    """All bounds of the match moved, so that they agree with each other."""

    def change(header, arrays):
        texts = arrays["numbers"].tobytes().decode().split(",")
        for bound in ("lower", "upper"):
            moved = [str(Fraction(texts[place]) + by) for place in arrays[bound]]
            arrays[bound] = np.array([number(arrays, value) for value in moved], np.int32)
        header.update({bound: str(Fraction(header[bound]) + by) for bound in ("lower", "upper")})

    return change


EVERY = [
    say(lower="-1"),
    say(upper="1/2", lower="1/2"),
    say(lower="1/0"),
    say(lower=0.1),
    say(lower="1", upper="-1"),
    say(game="pig"),
    say(game="nonsense:1"),
    say(game=5),
    say(format="bluff-plans-1"),
    say(format="tree-2"),
    say(format=None),
    say(proved=False),
    say(seconds="long"),
    say(seconds=-1),
    lack("lower"),
    lack("proof"),
    lack("method"),
    lack("game"),
    lack("format"),
    text(b"1,0,one"),
    text(b"1,0,1/0"),
    text(b"1," * 10**5 + b"1"),
    text(b""),
]
OF_KIND = {
    "mia": [
        say(game="mia:sides=4"),
        say(game="mia:truth=exactly", lower="0"),
        say(game="mia:keep=yes"),
        say(beliefs=False),
        lack("beliefs"),
        put("calls", (0, 8), "-1/2"),
        put("calls", (0, 8), "2"),
        put("calls", (80, 0), "1"),
        put("accepts", (0, 12), "2"),
        put("accepts", (0, 12), "-1"),
        put("accepts", (0, 12), "1/100"),
        put("slips", (0, 1), "-1"),
        put("slips", (0, 1), "1000000"),
        put("slips", (80, 0), "1"),
        shift("slips", (0, 0), 10**6),
        forget,
        cut("calls"),
        cut("accepts"),
        cut("slips"),
    ],
    CLOSED: [
        say(game="liars-die:sides=41"),
        say(game="liars-die:sides=40,truth=at-least", lower="0"),
        say(beliefs=True),
        put("wins", 0, "-1/2"),
        put("wins", 3, "1"),
        put("wins", 3, "2"),
        put("wins", 18, "1/100"),
        put("rest", 0, "-1"),
        put("rest", 0, "2"),
        put("rest", 0, "1/3"),
        shift("marginal", 0, 50),
        shift("marginal", 0, -2),
        shift("marginal", 0, 3),
        shift("wins", 0, 10**6),
        shift("wins", 0, -1),
        cut("wins"),
        cut("rest", 0),
        cut("marginal", 0),
    ],
    "mia:sides=3,keep=yes": [
        say(game="mia:keep=yes,sides=4"),
        say(game="mia"),
        put("calls", (4, 0), "1"),
        put("calls", (0, slice(None)), "0"),
        put("calls", (0, 5), "-1/2"),
        put("accepts", (0, 1), "3/2"),
        put("accepts", (0, 1), "-1"),
        put("accepts", (0, 5), "1"),
        shift("keeps", (0, 0), 99),
        shift("keeps", (0, 0), -1),
        shift("keeps", slice(None), 1),
        cut("keeps"),
        cut("calls"),
        cut("accepts"),
        nearly_true,
    ],
    "kuhn-poker": [
        say(game="rock-paper-scissors"),
        say(game="textbook-tree"),
        put("first", 0, "2"),
        put("first", 1, "-1"),
        put("first", 1, "1/7"),
        put("first", slice(1, None), "0"),
        shift("second", 0, 99),
        cut("first"),
        cut("second", 0),
        lambda header, arrays: arrays.update(first=arrays["first"].reshape(1, -1)),
    ],
    CHAIN: [
        say(game="bluff-match:dice=2v1,sides=2"),
        say(game="bluff-match:dice=2v1,sides=3,loss=give"),
        say(game="bluff-match:dice=5v5,sides=10"),
        say(method="match-bottom-up"),
        say(method="match-sweeps"),
        say(method="by hand"),
        say(rounds=[]),
        say(rounds="none"),
        say(rounds=[5]),
        more_rounds,
        put("lower", 0, "-1"),
        put("upper", 0, "1"),
        put("round_lower", 0, "-1"),
        put("round_upper", 1, "1"),
        shift("bluff-plans-1.first_reach", 0, 1),
        shift("first", 0, 99),
        shift("first", 0, -1),
        round_shape([2**40, 2**40]),
        round_shape([-1]),
        round_shape([]),
        round_shape(5),
        reply_nothing,
        trade_rounds,
        shift_match(Fraction(1, 100)),
        shift_match(Fraction(-1, 100)),
        cut("lower"),
        cut("bluff-plans-1.first_reach"),
        lambda header, arrays: header["rounds"][0].update(format="bluff-rows-9"),
        lambda header, arrays: header["rounds"][0].pop("format"),
    ],
    BOTTOM_UP: [
        say(game="bluff-match:dice=2v1,sides=2,palifico=yes,opens=winner"),
        say(game="bluff-match:dice=2v1,sides=2"),
        say(method="match-chain"),
        put("lower", 0, "-1"),
        put("round_lower", 0, "-1"),
        shift("bluff-weights-1.first", 0, 1),
        shift("bluff-weights-1.first", slice(1, None), 0),
        shift_match(Fraction(1, 1000)),
        shift_match(Fraction(-1, 1000)),
    ],
    SWEEPS: [
        say(method="match-bottom-up"),
        put("round_upper", 0, "1/3"),
        shift_match(Fraction(1, 100)),
        shift_match(Fraction(-1, 100)),
        trade_rounds,
    ],
    "own": [
        say(game="kuhn-poker"),
        say(format="tree-2"),
        put("first", 1, "-1"),
        put("second", 1, "1/7"),
        cut("first"),
    ],
}
FORGERIES = [(name, change) for name in NAMES for change in EVERY] + [
    (name, change) for name, changes in OF_KIND.items() for change in changes
]


@pytest.mark.parametrize(
    ("name", "change"), FORGERIES, ids=lambda part: part if isinstance(part, str) else ""
)
def test_a_forged_file_is_refused_even_with_a_new_digest(name, change, files, tmp_path):
    path = forged(files, name, tmp_path / "forged.npz", change)
    with pytest.raises(VerificationError) as refused:
        dw.verify(path, OWN if name == "own" else None)
    assert str(path) in str(refused.value)


def test_a_file_need_not_be_forged_to_be_written_so(files, tmp_path):
    """The forger's way of writing alone is no reason for a refusal."""
    for name in [*NAMES, "own"]:
        path = forged(files, name, tmp_path / "same.npz", lambda header, arrays: None)
        assert dw.verify(path, OWN if name == "own" else None).proved


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (CLOSED, put("wins", 3, "2")),
        ("mia", put("accepts", (0, 12), "2")),
        ("mia", put("slips", (80, 0), "1")),
        ("mia:sides=3,keep=yes", put("calls", (0, 5), "-1/2")),
        ("kuhn-poker", put("first", 1, "1/7")),
        (CHAIN, shift("bluff-plans-1.first_reach", 0, 1)),
        (BOTTOM_UP, shift("bluff-weights-1.first", 0, 1)),
    ],
)
def test_strategies_that_break_the_rules_are_never_read(name, change, files, tmp_path):
    path = forged(files, name, tmp_path / "forged.npz", change)
    with pytest.raises(VerificationError, match="break the rules"):
        dw.load(path)


def test_a_game_of_one_s_own_is_given_with_its_file_and_proved(files, tmp_path):
    path, solution = files["own"], solve(OWN)
    assert solution_file.read_header(path)["game"] is None
    for read in (dw.load, dw.verify):
        with pytest.raises(StorageError, match="names no game; load and verify take the game"):
            read(path)
    assert dw.load(path, OWN).certificate.exact == solution.certificate.exact
    assert dw.verify(path, OWN).exact == solution.certificate.exact
    same_shape = replace(OWN, seed=6)
    assert solve(same_shape).certificate.exact != solution.certificate.exact
    with pytest.raises(VerificationError, match="says that the value is"):
        dw.load(path, same_shape)
    for other in (Levels((CHANCE, FIRST), (2, 2)), dw.game("kuhn-poker")):
        with pytest.raises(VerificationError):
            dw.load(path, other)
    with pytest.raises(VerificationError):
        dw.load(path, "pig:goal=10")


@dataclass(frozen=True)
class Misnamed(Levels):
    name: str = "kuhn-poker"


def test_a_name_that_does_not_say_the_rules_is_not_written(tmp_path):
    """A variant of Pig, a tree with the name of another, a match that is called otherwise."""
    pig = replace(dw.game("pig:goal=10"), name="porker")
    games = [
        pig,
        replace(pig, name="pig:goal=20"),
        Misnamed(*OWN.__dict__.values()) if False else Misnamed((FIRST,), (2,)),
    ]
    for game in games:
        assert not is_named(game)
        dw.save(tmp_path / "file", solve(game))
        assert solution_file.read_header(tmp_path / "file")["game"] is None
        with pytest.raises(StorageError, match="names no game"):
            dw.verify(tmp_path / "file")
        assert dw.verify(tmp_path / "file", game).exact == solve(game).certificate.exact
    dw.save(tmp_path / "file", solve(pig))
    with pytest.raises(VerificationError, match="its rules are not those"):
        dw.load(tmp_path / "file", "pig:goal=11")
    assert dw.load(tmp_path / "file", "pig:goal=10").certificate.proved


def test_a_file_of_the_catalog_serves_the_same_rules_by_another_name(tmp_path):
    pig = dw.game("pig:goal=10")
    dw.save(tmp_path / "pig.npz", solve(pig))
    porker = replace(pig, name="porker")
    assert dw.load(tmp_path / "pig.npz", porker).game is porker


def test_what_nobody_knows_how_to_write_is_a_sentence(tmp_path):
    by_hand = Solution(OWN, "by hand", (str, str), Certificate.exactly(Fraction(0), "none"))
    for asked in (lambda: dw.save(tmp_path / "file", by_hand), by_hand.prove):
        with pytest.raises(StorageError, match="solution of levels"):
            asked()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_are_refused(name, files, tmp_path):
    whole, path = files[name].read_bytes(), tmp_path / "file"
    rng = np.random.default_rng(7)
    for place in rng.integers(0, len(whole), 25):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            read = dw.load(path)
        except VerificationError:
            continue
        assert read.certificate == dw.load(files[name]).certificate  # a byte that zip does not read
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(VerificationError):
            dw.load(path)


def test_a_match_that_may_never_end_is_not_proved_by_bounds_that_carry_themselves():
    """Two standings follow each other for ever, so any value of theirs secures itself; such a match pays 0."""
    match = dw.game(SWEEPS)
    solution = solve(match)
    for player, value, said in ((FIRST, Fraction(1, 2), "lower"), (SECOND, Fraction(-1, 2), "upper")):
        plan = solution.strategies[player]
        going_on = endless(match, standings(match), plan.rounds, player)
        assert len(going_on) == 2
        values = getattr(plan, said) | dict.fromkeys(going_on, value)
        rounds = {standing: _solve_standing(match, standing, values) for standing in plan.rounds}
        assert endless(match, standings(match), rounds, player) >= going_on
        parts = [replace(part, **{said: values}) for part in solution.strategies]
        parts[player] = replace(parts[player], rounds=rounds)
        with pytest.raises(VerificationError, match="may never end"):
            replace(solution, strategies=tuple(parts)).prove()
        assert solution.prove().exact == 1


def test_pickling_says_what_to_do_instead_and_copies_are_the_same():
    solution = dw.solve("kuhn-poker")
    with pytest.raises(
        StorageError, match=r"the solution of kuhn-poker is not pickled; dicewright\.save and load"
    ):
        pickle.dumps(solution)
    assert copy(solution) is deepcopy(solution) is solution
    pair = pickle.loads(pickle.dumps(dw.Pair(abs, round, label="numbers")))
    assert (pair, str(pair)) == ((abs, round), "numbers")


def by_the_page(path):
    """Whether seal and digest are right: from what docs/_made/formats says, by the standard library alone."""
    with zipfile.ZipFile(path) as file:
        first, *entries = file.namelist()
        assert first == "header.json"
        header = json.loads(file.read(first))
        arrays = {entry.removesuffix(".npy"): file.read(entry) for entry in entries}
    rest = {key: value for key, value in header.items() if key not in ("seal", "digest")}
    seal = hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    total = hashlib.sha256(seal.encode())
    for name in sorted(arrays):
        entry = arrays[name]
        assert entry[:8] == bytes.fromhex("93 4E 55 4D 50 59 01 00")
        begin = 10 + int.from_bytes(entry[8:10], "little")
        told = ast.literal_eval(entry[10:begin].decode())
        assert (begin % 64, told["fortran_order"]) == (0, False)
        total.update(f"\n{name} {told['descr']} {told['shape']}\n".encode() + entry[begin:])
    return (header["seal"], header["digest"]) == (seal, total.hexdigest())


@pytest.mark.parametrize("name", ["pig.npz", "bluff.npz", "mia.npz", "trained/bluff.npz"])
def test_whoever_reads_the_page_of_formats_can_check_a_file(name):
    assert by_the_page(SHIPPED / name)
