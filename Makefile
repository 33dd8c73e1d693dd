# Two commands for users: make reproduce, make test. Both build .venv on first use.
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: reproduce test test-paused lint lint-js bench bench-large bench-web tables clean

reproduce: .venv/installed
	$(BIN)/dicewright reproduce

test: .venv/installed-dev
	$(BIN)/python -m pytest -n 3 --dist worksteal README.md docs src tests

test-paused: .venv/installed-dev
	$(BIN)/python -m tests.pauses 1 $(BIN)/python -m pytest -n 3 --dist worksteal tests/unit tests/e2e

lint: .venv/installed-dev lint-js
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy

# The page's scripts; users need no Node, and whoever has none is told that this was left out.
lint-js:
	@if ! command -v npm >/dev/null; then echo "lint-js skipped: npm is not installed"; \
	elif ! { test node_modules/.package-lock.json -nt package-lock.json || npm ci --no-audit --no-fund --loglevel=error; }; \
	then echo "lint-js skipped: npm could not install eslint (no network?)"; \
	else npm run --silent lint; fi

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
