"""Saved solutions: nothing half written, nothing tampered with is believed, nothing is solved twice."""

import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.reference import race_files

from dicewright.core.errors import StorageError, VerificationError
from dicewright.families.catalog import parse
from dicewright.families.race import solution as race_form
from dicewright.families.race.proof import bounds as race_bounds
from dicewright.families.race.proof.bounds_kernels import Runs
from dicewright.families.race.solution import certify_race, solve_values
from dicewright.storage import files, solution_file, strategies
from dicewright.storage import store as storing
from dicewright.storage.store import find, kept_path, store_folder
from dicewright.storage.strategies import read_table

GOAL = 36  # no short fraction: proved by balls


def solved(name):
    game = parse(name)
    values = solve_values(game)
    win, loss = values.worth
    return game, certify_race(game, win, loss, values.table(game)), win, loss, values.table(game)


@pytest.fixture(scope="module")
def pig():
    return solved(f"pig:goal={GOAL}")


@pytest.fixture
def file(tmp_path, pig):
    race_files.save(tmp_path / "pig.npz", *pig, seconds=1.5)
    return tmp_path / "pig.npz"


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def keep(game, certificate, win, loss, runs, seconds):
    return storing.keep(game, race_files.made(game, certificate, win, loss, runs), seconds)


def tamper(path, change):
    """Change header and arrays, and seal the file again as if nothing had happened."""
    header, arrays = solution_file.read(path, race_form.TYPES, 10**8)
    change(header, arrays)
    solution_file.write(path, header, arrays)


def test_what_was_saved_is_read_back(file, pig):
    game, certificate, win, loss, runs = pig
    saved, claim = solution_file.load(file), solution_file.read_claim(file)
    assert (claim.game, claim.certificate, claim.seconds) == (game, certificate, 1.5)
    assert (saved.game, saved.certificate) == (game, certificate)
    assert np.array_equal(saved.values.worth, [win, loss])
    assert saved.choices.same_choices(runs)
    assert np.load(file, allow_pickle=False)["win"].shape == (GOAL, GOAL)


def test_a_saved_solution_is_proved_again(file, pig):
    assert solution_file.verify(file) == pig[1]


@pytest.mark.parametrize("name", ["pig:goal=10", "two-dice-pig:goal=20", "pig:goal=8,finish=exact,skip=yes"])
def test_every_kind_of_certificate_is_proved_again(name, tmp_path):
    solution = solved(name)
    race_files.save(tmp_path / "file", *solution, seconds=0.0)
    assert solution_file.verify(tmp_path / "file") == solution[1]


def test_an_estimate_stays_an_estimate(pig, tmp_path):
    game, _, win, loss, runs = pig
    estimate = certify_race(game, win, loss, runs, "estimate")
    race_files.save(tmp_path / "file", game, estimate, win, loss, runs, 0.0)
    assert not solution_file.verify(tmp_path / "file").proved


@pytest.fixture
def estimate(tmp_path):
    """A file whose value is only estimated, as of races that take too long to prove."""
    game, _, win, loss, runs = solved("pig:goal=60")
    path = tmp_path / "estimate.npz"
    race_files.save(path, game, certify_race(game, win, loss, runs, "estimate"), win, loss, runs, 0.0)
    return path


def shift_all(header, arrays, half_widths):
    """Tables and bounds moved together, so that they agree: to a mean over the faces a shift is hardly there."""
    arrays["win"] += half_widths * 5e-12
    arrays["loss"] -= half_widths * 5e-12
    value = Fraction(float(arrays["win"][0, 0] - arrays["loss"][0, 0]))
    header["lower"], header["upper"] = (str(value + Fraction(side, 10**11)) for side in (-1, 1))


def shift_bounds(header, arrays):
    for key in ("lower", "upper"):
        header[key] = str(Fraction(header[key]) + Fraction(5, 10**11))


def shift_tables(header, arrays):
    arrays["win"] += 2.5e-11
    arrays["loss"] -= 2.5e-11


def wide_estimate(header, arrays):
    header["lower"], header["upper"] = "-1", "1"


def hold_a_little_early(header, arrays):
    """Another strategy with its own worth: consistent, and nearly as good."""
    game = parse(header["game"])
    runs = Runs(arrays["first"], arrays["starts"], arrays["rows"])
    runs.starts[np.flatnonzero(runs.starts > 9)[0]] -= 1
    value, turns = np.zeros((game.goal, game.goal)), np.zeros((game.goal, game.goal))
    race_bounds.kernels.meet_itself(race_bounds.rules(game), runs, value, turns)
    arrays["win"], arrays["loss"] = (1 + value) / 2, (1 - value) / 2
    half = Fraction(1, 10**11)
    header["lower"], header["upper"] = (str(Fraction(value[0, 0]) + side * half) for side in (-1, 1))


@pytest.mark.parametrize(
    "name",
    [
        "pig:goal=70,finish=exact",
        "pig:goal=40,finish=exact,skip=yes",
        "two-dice-pig:goal=30",
        "hog:goal=40",
        "pig:goal=60,payoff=difference",
        "pig:goal=60,payoff=margin",
    ],
)
def test_an_estimate_made_again_agrees_for_every_rule(name, tmp_path):
    game, _, win, loss, runs = solved(name)
    certificate = certify_race(game, win, loss, runs, "estimate")
    race_files.save(tmp_path / "file", game, certificate, win, loss, runs, 0.0)
    again = solution_file.verify(tmp_path / "file")
    assert not again.proved
    assert abs(again.lower - certificate.lower) < (again.upper - again.lower) / 100


def hold_too_early(header, arrays):
    arrays["starts"][1] -= 9


def nudge_value(header, arrays):
    arrays["win"][5, 7] += 1e-6
    arrays["loss"][5, 7] -= 1e-6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda header, arrays: shift_all(header, arrays, 40), "off what the strategy is worth"),
        (lambda header, arrays: shift_all(header, arrays, -3), "off what the strategy is worth"),
        (shift_bounds, "its strategies give"),
        (shift_tables, "off what the strategy is worth"),
        (wide_estimate, "its strategies give"),
        (hold_a_little_early, "it is not best"),
        (nudge_value, "off what the strategy is worth"),
    ],
)
def test_a_forged_estimate_is_refused(estimate, change, said):
    """Also where strategy, tables and bounds agree with each other: it is made again from the rules."""
    tamper(estimate, change)
    with pytest.raises(VerificationError, match=said):
        solution_file.verify(estimate)


def nudge_one_player(header, arrays):
    arrays["win"][5, 7] += 1e-6


def forget_a_value(header, arrays):
    arrays["win"][5, 7] = np.nan


def cut_a_table(header, arrays):
    arrays["loss"] = arrays["loss"][:-1]


def choose_no_action(header, arrays):
    arrays["rows"][3] = 9


def run_before_the_turn(header, arrays, start=-50):
    """A rise that wraps: no difference of 32 bits shows the fall, and a table was written at negative places."""
    arrays["starts"] = np.concatenate([[0, 2**31 - 1, start], arrays["starts"][arrays["first"][1] :]])
    arrays["rows"] = np.concatenate([[1, 1, 0], arrays["rows"][arrays["first"][1] :]])
    arrays["first"][1:] += 3 - arrays["first"][1]
    arrays["starts"], arrays["rows"] = arrays["starts"].astype("<i4"), arrays["rows"].astype("|u1")
    arrays["win"][0, 0] += 0.002
    arrays["loss"] = 1 - arrays["win"]
    value = Fraction(float(arrays["win"][0, 0] - arrays["loss"][0, 0]))
    header.update(method="bounds", lower=str(value - 1), upper=str(value + 1), exact=False)


def run_far_before_the_turn(header, arrays):
    run_before_the_turn(header, arrays, -(2**31))


def runs_out_of_order(header, arrays):
    arrays["first"][1:4] = [2**63 - 1, -(2**63), -1]


def hold_without_a_turn_total(header, arrays):
    arrays["rows"][0] = 0


def overlong_run(header, arrays):
    arrays["starts"][1] = GOAL


def change_type(header, arrays):
    arrays["win"] = arrays["win"].astype("<f4")


def fairer_die(header, arrays):
    header["rules"]["rolls"][0][1][0][0] = "1/7"


def other_goal(header, arrays):
    header["rules"]["goal"] = GOAL + 1


def other_game(header, arrays):
    other = parse(f"pig:goal={GOAL},payoff=margin")
    header.update(game=other.name, rules=race_form.all_rules(other))


def huge_goal(header, arrays):
    header["game"] = "pig:goal=1000000"


def higher_lower(header, arrays):
    header["lower"] = str(Fraction(header["lower"]) + Fraction(1, 10**20))


def wider_bounds(header, arrays):
    header["upper"] = str(Fraction(header["upper"]) + Fraction(1, 10**20))


def crossed_bounds(header, arrays):
    header["lower"], header["upper"] = header["upper"], header["lower"]


def claim_exact(header, arrays):
    header["upper"], header["exact"] = header["lower"], True


def claim_fractions(header, arrays):
    header["method"] = "fractions"


def claim_unproved_proof(header, arrays):
    header["method"] = "estimate"


def wrong_format(header, arrays):
    header["format"] = 99


def lack_a_field(header, arrays):
    del header["upper"]


def no_fraction(header, arrays):
    header["lower"] = "1/0"


def no_text(header, arrays):
    header["lower"] = [1]


@pytest.mark.parametrize(
    "change",
    [
        hold_too_early,
        nudge_value,
        nudge_one_player,
        forget_a_value,
        cut_a_table,
        choose_no_action,
        run_before_the_turn,
        run_far_before_the_turn,
        runs_out_of_order,
        hold_without_a_turn_total,
        overlong_run,
        change_type,
        fairer_die,
        other_goal,
        other_game,
        huge_goal,
        higher_lower,
        wider_bounds,
        crossed_bounds,
        claim_exact,
        claim_fractions,
        claim_unproved_proof,
        wrong_format,
        lack_a_field,
        no_fraction,
        no_text,
    ],
)
def test_a_tampered_file_is_refused_even_with_a_new_digest(file, change):
    tamper(file, change)
    with pytest.raises(VerificationError) as refused:
        solution_file.verify(file)
    assert refused.value.exit_code == 4


@pytest.mark.parametrize(
    "change",
    [
        run_before_the_turn,
        run_far_before_the_turn,
        runs_out_of_order,
        hold_without_a_turn_total,
        overlong_run,
        choose_no_action,
    ],
)
def test_a_strategy_that_is_none_is_refused_before_anything_is_done_with_it(file, change):
    """Kernels write where the runs say, and a table that plays in a tournament is never proved."""
    tamper(file, change)
    with pytest.raises(VerificationError, match="runs do not fit the goal 36"):
        solution_file.load(file)
    with pytest.raises(VerificationError, match="runs do not fit the goal 36"):
        read_table(file, parse(f"pig:goal={GOAL}"))


def test_a_table_is_opened_once_under_the_limits_that_were_asked(file, tmp_path, monkeypatch):
    """It was opened twice more by its name, where a link may stand by then, and up to 2 GB."""
    outside = tmp_path / "outside.npz"
    outside.write_bytes(file.read_bytes())
    opened, game = [], parse(f"pig:goal={GOAL}")

    def once(path, most_bytes, links=True):
        opened.append((path, most_bytes, links))
        return files.regular_file(path, most_bytes, links)

    for module in (strategies, solution_file):
        monkeypatch.setattr(module, "regular_file", once)
    assert read_table(file, game, links=False).runs.same_choices(read_table(outside, game).runs)
    assert opened == [(file, strategies.MOST_TABLE, False), (outside, strategies.MOST_TABLE, True)]
    opened.clear()
    solution_file.load(file)
    assert opened == [(file, solution_file.MOST_FILE, True)]
    link = tmp_path / "link.npz"
    link.symlink_to(outside)
    with pytest.raises(StorageError, match="it is a link"):
        read_table(link, game, links=False)
    monkeypatch.setattr(strategies, "MOST_TABLE", 1000)
    with pytest.raises(StorageError, match="larger than the 1,000 bytes"):
        read_table(file, game)


@pytest.mark.parametrize(
    "part", ["header.json", "win.npy", "loss.npy", "first.npy", "starts.npy", "rows.npy"]
)
def test_a_changed_part_breaks_the_digest(file, part):
    with zipfile.ZipFile(file) as bundle:
        parts = {name: bundle.read(name) for name in bundle.namelist()}
    if part == "header.json":
        parts[part] = json.dumps({**json.loads(parts[part]), "seconds": 7}).encode()
    else:
        parts[part] = parts[part][:-1] + bytes([parts[part][-1] ^ 1])
    with zipfile.ZipFile(file, "w") as bundle:
        for name, data in parts.items():
            bundle.writestr(name, data)
    with pytest.raises(VerificationError, match=r"digest|seal"):
        solution_file.verify(file)


@pytest.mark.parametrize("keep", [0, 10, 100, 3000, -1])
def test_a_truncated_file_is_refused(file, keep):
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(VerificationError):
        solution_file.verify(file)


def test_flipped_bytes_never_make_another_error(file):
    whole = file.read_bytes()
    rng = np.random.default_rng(7)
    for place in rng.integers(0, len(whole), 60):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            saved = solution_file.load(file)
        except VerificationError:
            continue
        assert saved.game.goal == GOAL  # a byte that zip does not read


def test_other_files_are_refused(tmp_path):
    (tmp_path / "text").write_text("not a solution")
    np.savez(tmp_path / "other.npz", win=np.zeros(3))
    with zipfile.ZipFile(tmp_path / "deep.npz", "w") as bundle:
        bundle.writestr("header.json", "[" * 100_000)
    with zipfile.ZipFile(tmp_path / "list.npz", "w") as bundle:
        bundle.writestr("header.json", "[]")
    for name in ("text", "other.npz", "deep.npz", "list.npz"):
        with pytest.raises(VerificationError, match="no file of dicewright"):
            solution_file.verify(tmp_path / name)


def test_a_missing_file_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError, match="cannot read"):
        solution_file.verify(tmp_path / "nothing")
    with pytest.raises(StorageError, match="cannot read"):
        solution_file.verify(tmp_path)


def test_an_array_that_promises_more_than_it_holds_is_refused(file):
    with zipfile.ZipFile(file) as bundle:
        parts = {name: bundle.read(name) for name in bundle.namelist()}
    parts["win.npy"] = parts["win.npy"].replace(b"(36, 36)", b"(9**9,9)", 1)
    with zipfile.ZipFile(file, "w") as bundle:
        for name, data in parts.items():
            bundle.writestr(name, data)
    with pytest.raises(VerificationError, match="damaged"):
        solution_file.verify(file)


def test_a_number_that_is_no_array_is_refused(file, tmp_path):
    """A program of ours never writes one, and nothing that reads a file knows how long it is."""
    np.save(tmp_path / "number.npy", np.array(1, np.int32))
    with zipfile.ZipFile(file) as bundle:
        parts = {name: bundle.read(name) for name in bundle.namelist()}
    parts["starts.npy"] = (tmp_path / "number.npy").read_bytes()
    with zipfile.ZipFile(file, "w") as bundle:
        for name, data in parts.items():
            bundle.writestr(name, data)
    with pytest.raises(VerificationError, match="starts is one number; an array is allowed"):
        solution_file.verify(file)


def test_a_failed_write_leaves_the_old_file(file, pig, monkeypatch):
    before = file.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    for target in ("pathlib.Path.replace", "os.fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(target, fail)
            with pytest.raises(StorageError, match="No space left"):
                race_files.save(file, *pig, seconds=2.0)
        assert file.read_bytes() == before
        assert list(file.parent.iterdir()) == [file]


def test_a_folder_that_does_not_exist_is_a_storage_error(pig, tmp_path):
    with pytest.raises(StorageError, match="cannot write"):
        race_files.save(tmp_path / "none" / "file", *pig, seconds=0.0)


def test_the_store_keeps_and_finds(store, pig):
    game = pig[0]
    assert find(game) is None
    path = keep(*pig, 2.0)
    assert path is not None
    assert path.parent == store
    assert find(game)[:1] == (path,)
    assert find(game).claim[:3] == (game, pig[1], 2.0)
    assert find(parse("pig:goal=37")) is None
    assert solution_file.verify(path) == pig[1]


def test_the_store_ignores_and_rewrites_a_damaged_file(store, pig, caplog):
    path = keep(*pig, 2.0)
    path.write_bytes(path.read_bytes()[:500])
    assert find(pig[0]) is None
    assert "will be written again" in caplog.text
    assert keep(*pig, 3.0) == path
    assert find(pig[0]).claim.seconds == 3.0


def test_the_store_does_not_take_another_game_for_this_one(store, pig, caplog):
    path = keep(*pig, 2.0)
    other = parse("pig:goal=37")
    path.rename(kept_path(other))
    assert find(other) is None
    assert "not pig:goal=37" in caplog.text


def test_a_store_that_cannot_be_written_is_no_error(tmp_path, monkeypatch, pig):
    (tmp_path / "blocked").write_text("a file, not a folder")
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "blocked"))
    assert keep(*pig, 2.0) is None
    assert find(pig[0]) is None


def test_the_store_is_in_the_cache_folder_unless_told(monkeypatch, tmp_path):
    monkeypatch.delenv("DICEWRIGHT_STORE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store_folder() == tmp_path / "dicewright"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert store_folder() == Path.home() / ".cache" / "dicewright"


def test_a_name_is_no_part_of_the_key():
    game = parse("pig")
    assert kept_path(game) == kept_path(replace(game, name="porker"))
    assert kept_path(game) != kept_path(parse("pig:skip=yes"))


def test_finding_needs_no_compiler(store, pig):
    """The second `dicewright value` is quick because numba, scipy and flint are not even loaded."""
    keep(*pig, 2.0)
    script = (
        "import sys; from dicewright.families.catalog import parse; from dicewright.storage.store import find;"
        f"found = find(parse('pig:goal={GOAL}')); assert found.certificate.proved;"
        "print(sorted({'numba', 'scipy', 'flint', 'highspy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
