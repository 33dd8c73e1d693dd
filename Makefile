# Two commands for users: make reproduce, make test. Both build .venv on first use.
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

LOWEST := .venv-lowest/bin
NEWEST := .venv-newest/bin
RELEASE := .venv-release/bin
# What one who edits wants: every unit and the command line, without the slow ones.
QUICK := -m "not slow and not long" tests/unit tests/e2e/test_cli.py tests/e2e/test_arena_cli.py tests/e2e/test_tournament_cli.py \
	tests/e2e/test_shell.py tests/e2e/test_interrupt.py

.PHONY: reproduce test test-quick test-lowest test-newest test-long test-paused lint lint-js bench bench-large bench-web tables trained values docs release clean

reproduce: .venv/installed
	$(BIN)/dicewright reproduce

# Else every worker and every command that a test starts compiles all sources anew.
test test-quick test-lowest test-newest test-long test-paused: export PYTHONDONTWRITEBYTECODE :=

test: .venv/installed-dev
	$(BIN)/python -m tests.warm
	$(BIN)/python -m pytest -n 3 --dist worksteal README.md docs src tests

test-quick: .venv/installed-dev
	$(BIN)/python -m tests.warm
	$(BIN)/python -m pytest -n 3 --dist worksteal $(QUICK)

# Another numba compiles otherwise: what it keeps must not meet what the usual one keeps. Old packages may use what
# newer ones call deprecated.
test-lowest: export NUMBA_CACHE_DIR := $(CURDIR)/.venv-lowest/numba
test-lowest: .venv-lowest/installed
	$(LOWEST)/python -m tests.warm
	$(LOWEST)/python -m pytest -n 3 --dist worksteal -W default::DeprecationWarning $(QUICK)

test-newest: export NUMBA_CACHE_DIR := $(CURDIR)/.venv-newest/numba
test-newest: .venv-newest/installed
	$(NEWEST)/python -m tests.warm
	$(NEWEST)/python -m pytest -n 3 --dist worksteal -W default::DeprecationWarning $(QUICK)

test-long: .venv/installed-dev
	$(BIN)/python -m pytest -m long tests

test-paused: .venv/installed-dev
	$(BIN)/python -m tests.pauses 1 $(BIN)/python -m pytest -n 3 --dist worksteal tests/unit tests/e2e

lint: .venv/installed-dev lint-js
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

# The page's scripts; users need no Node, and whoever has none is told that this was left out.
lint-js:
	@if ! command -v npm >/dev/null; then echo "lint-js skipped: npm is not installed"; else \
	{ test node_modules/.package-lock.json -nt package-lock.json || npm ci --no-audit --no-fund --loglevel=error; } \
	&& npm run --silent lint; fi

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks

bench-large: .venv/installed-dev
	$(BIN)/python -m benchmarks bluff-large

bench-web: .venv/installed-dev
	$(BIN)/python -m benchmarks.web

tables: .venv/installed-dev
	$(BIN)/python -m dicewright.storage.shipped
	$(BIN)/python -m dicewright.storage.levels

# The players that were trained: every round is kept in build/tables when it is finished, and put into the package at the end.
trained: .venv/installed-dev
	$(BIN)/python -m dicewright.storage.shipped --trained

# What the documentation lists for others to cite; half of the ten minutes and 2 GB go into two rounds of Bluff.
values: .venv/installed-dev
	$(BIN)/dicewright values --whole -o docs/values/values.csv -o docs/values/values.json -o docs/values/values.html

# What is published: dist/*, checked and tried in a new environment without extras.
release: .venv-release/installed
	rm -rf dist
	$(RELEASE)/python -m build -q
	$(RELEASE)/twine check --strict dist/*
	$(RELEASE)/check-wheel-contents dist/*.whl
	$(RELEASE)/python -m tests.wheel dist/*.whl

# The tutorials are executed; a warning is an error. The first page is docs/_build/html/index.html.
docs: .venv/installed-dev
	$(BIN)/python -m sphinx -W --keep-going -q -t whole -b html docs docs/_build/html

clean:
	rm -rf .venv .venv-lowest .venv-newest .venv-release dist report docs/_build docs/_made

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[plots]"
	touch $@

.venv/installed-dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch .venv/installed $@

.venv-lowest/installed: pyproject.toml
	$(PYTHON) -m venv --clear .venv-lowest
	$(LOWEST)/python -m pip install --quiet uv
	$(LOWEST)/uv pip install --quiet --python $(LOWEST)/python --resolution lowest-direct --editable ".[all,test]"
	touch $@

.venv-newest/installed: pyproject.toml
	$(PYTHON) -m venv --clear .venv-newest
	$(NEWEST)/python -m pip install --quiet uv
	$(NEWEST)/uv pip install --quiet --python $(NEWEST)/python --upgrade --editable ".[all,test]"
	touch $@

.venv-release/installed: pyproject.toml
	$(PYTHON) -m venv --clear .venv-release
	$(RELEASE)/python -m pip install --quiet build twine check-wheel-contents
	touch $@
