# make run    sets up and plays a game of 2048 before your eyes
# make test   sets up and runs every check: format, lint, types, tests
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check tests slow bench clean

run: .venv/run
	$(BIN)/contienda play 2048 --watch --speed 20

test: check tests

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

tests: .venv/dev
	$(BIN)/python tests/warm.py
	$(BIN)/pytest --numprocesses auto --dist loadfile

slow: .venv/dev
	$(BIN)/pytest -m slow

bench: .venv/dev
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/python benchmarks/search.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Made anew whenever the project's dependencies change.
.venv/run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -e .
	touch $@

.venv/dev: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -e '.[dev]'
	touch $@ .venv/run
