# make run    sets up and opens the app in the browser
# make test   sets up and runs every check: format, lint, types, tests
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check tests unit browser slow bench screenshots chromium clean

run: .venv/run
	$(BIN)/contienda

test: check tests

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Both kinds of tests at once, for those in the browser often wait, and more workers than cores: so do many others.
tests: .venv/dev chromium
	$(BIN)/python tests/warm.py
	$(MAKE) --jobs=2 --output-sync=target unit browser

unit:
	$(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

browser:
	$(BIN)/pytest -o addopts= --numprocesses 2 --dist loadfile tests/browser

slow: .venv/dev
	$(BIN)/pip install --quiet -e '.[slow]'
	$(BIN)/pytest -m slow

bench: .venv/dev
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/python benchmarks/search.py

screenshots: .venv/dev chromium
	$(BIN)/python docs/screenshots.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

# The browser of the tests: Debian's Chromium.
chromium:
	@command -v chromium >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } || { \
	  echo "the tests need a browser: apt-get install chromium"; exit 1; }

# Made anew whenever the project's dependencies change.
.venv/run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -e .
	touch $@

.venv/dev: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -e '.[dev]'
	touch $@ .venv/run
