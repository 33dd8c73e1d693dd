# Two commands for users: make reproduce, make test. Both build .venv on first use.
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: reproduce test test-paused lint bench bench-large bench-web tables clean

reproduce: .venv/installed
	$(BIN)/dicewright reproduce

test: .venv/installed-dev
	$(BIN)/python -m pytest -n 3 --dist worksteal README.md docs src tests

test-paused: .venv/installed-dev
	$(BIN)/python -m tests.pauses 1 $(BIN)/python -m pytest -n 3 --dist worksteal tests/unit tests/e2e

lint: .venv/installed-dev
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks

bench-large: .venv/installed-dev
	$(BIN)/python -m benchmarks bluff-large

bench-web: .venv/installed-dev
	$(BIN)/python -m benchmarks.web

tables: .venv/installed-dev
	$(BIN)/python -m dicewright.storage.tables

clean:
	rm -rf .venv report

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[plots]"
	touch $@

.venv/installed-dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch .venv/installed $@
