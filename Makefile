# make run    sets up and opens the app in the browser
# make test   sets up and runs every check: format, lint, types, tests
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check warm unit browser slow bench soak screenshots chromium clean

run: .venv/run
	$(BIN)/contienda

# Two things at once: the checks while the compiler's cache is filled; then both kinds of tests, for those in the browser
# often wait. More workers than cores, because so do many others.
test: .venv/dev chromium
	$(MAKE) --jobs=2 --output-sync=target check warm
	$(MAKE) --jobs=2 --output-sync=target unit browser

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

warm:
	$(BIN)/python tests/warm.py

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

# An hour of a class with kills, full disks and attackers; MINUTES=3 for a look.
MINUTES ?= 60
soak: .venv/dev
	$(BIN)/python benchmarks/soak.py --minutes $(MINUTES)

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
