"""The command `sweep`, in a process of its own: the same bytes with any workers, killed ones too, and after Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from time import sleep

import pytest
from tests import forked

SEED = 3
PLAN = """
title = "Goals"
games = ["pig"]
measures = ["advantage", "length", "luck"]
sample = {sample}
[fields]
goal = "{goals}"
"""


def plan(folder, goals, sample):
    """A plan in a folder."""
    path = folder / "goals.toml"
    path.write_text(PLAN.format(goals=goals, sample=sample), encoding="utf-8")
    return path


def swept(path, *words):
    """The bytes of the table."""
    table = path.with_name("table.csv")
    forked.run(["sweep", str(path), "-o", str(table), *words], text=True, check=True)
    return table.read_bytes()


def test_a_sweep_is_told_as_a_table_and_as_a_document(tmp_path):
    path = plan(tmp_path, "10..12", 5)
    told = forked.run(["sweep", str(path), "--workers", "1"], text=True, check=True).stdout
    assert told.startswith("Goals")
    assert "pig:goal=11" in told
    rows = json.loads(forked.run(["sweep", str(path), "--json"], text=True, check=True).stdout)
    assert [row["goal"] for row in rows[::3]] == ["10", "11", "12"]
    assert rows[0]["how"] == "proved"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no file was named"),
        (["there-is-none.toml"], "cannot read there-is-none.toml"),
        (["none.toml"], "all 2 numbers were refused, the first for this: unknown game 'pigg'"),
        (["goals.toml", "-o", "table.xls"], "ends in '.xls'; .csv or .parquet is allowed"),
        (["goals.toml", "--workers", "2", "--dask", "tcp://127.0.0.1:1"], "one of them is allowed"),
    ],
)
def test_what_is_wrong_is_one_sentence(tmp_path, words, said):
    plan(tmp_path, "10..12", 5)
    (tmp_path / "none.toml").write_text("games = ['pigg']", encoding="utf-8")
    left = forked.run(["sweep", *words], text=True, cwd=tmp_path)
    assert left.returncode in (1, 2)
    assert said in left.stderr
    assert len(left.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["2", pytest.param("4", marks=pytest.mark.long)])
def test_workers_change_no_byte(tmp_path, workers):
    path = plan(tmp_path, "20..40..2", 30)
    alone = swept(path, "--workers", "1")
    path.with_suffix(".cells").unlink()
    assert swept(path, "--workers", workers) == alone


def workers_of(process):
    """Those of its processes that do tasks; Python starts one more that watches over names."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):
            found += [int(pid) for pid in (task / "children").read_text().split()]
    return [pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def command(path, table, *words):
    """The command as a process that runs."""
    line = [sys.executable, "-m", "dicewright", "sweep", str(path), "-o", str(table), *words]
    return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


@pytest.mark.long  # its small form is in unit/test_spread.py
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found in /proc")
def test_killed_workers_change_no_byte(tmp_path):
    path, rng, killed, kills = plan(tmp_path, "20..190", 30), Random(SEED), 0, 10
    alone = swept(path, "--workers", "1")
    path.with_suffix(".cells").unlink()
    process = command(path, tmp_path / "other.csv", "--workers", "2")
    while process.poll() is None:
        sleep(rng.uniform(0.05, 0.4))
        with suppress(OSError, IndexError):
            if killed < kills:
                os.kill(rng.choice(workers_of(process.pid)), signal.SIGKILL)
                killed += 1
    assert (process.returncode, process.communicate()[1]) == (0, "")
    assert killed >= 1
    assert (tmp_path / "other.csv").read_bytes() == alone


@pytest.mark.slow
def test_an_interrupt_keeps_what_is_finished_and_leaves_no_process(tmp_path):
    path = plan(tmp_path, "20..60", 60)
    process, kept = command(path, tmp_path / "table.csv", "--workers", "2"), path.with_suffix(".cells")
    while process.poll() is None and not (kept.exists() and kept.read_bytes().count(b"\n") > 15):
        sleep(0.05)
    begun = workers_of(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    told = process.communicate()[1].splitlines()
    assert told[-1] == "dicewright: interrupted"
    assert "".join(told[:-1]).replace(" ", "").startswith("whatwasfinishediskeptin")
    assert not (tmp_path / "table.csv").exists()
    lines = kept.read_bytes().count(b"\n")
    assert 15 < lines < 41 * 3
    for _ in range(100):
        if not any(Path(f"/proc/{pid}").exists() for pid in begun):
            break
        sleep(0.1)
    assert not [pid for pid in begun if Path(f"/proc/{pid}").exists()]


@pytest.mark.long
def test_a_cluster_changes_no_byte(tmp_path):
    distributed = pytest.importorskip("distributed")
    path = plan(tmp_path, "20..60..2", 30)
    alone = swept(path, "--workers", "1")
    path.with_suffix(".cells").unlink()
    options = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": 50,
    }
    with distributed.LocalCluster(**options) as cluster:
        assert swept(path, "--dask", cluster.scheduler_address) == alone
