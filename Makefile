# make run    sets up and opens the app in the browser
# make test   sets up and runs every check: format, lint, types, tests
# make boundscheck, make memcheck, make fuzz   look for faults of memory: slow, see below
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check warm unit browser slow boundscheck memcheck fuzz bench screenshots chromium clean

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

# The whole suite with every index of compiled code checked. Such code is cached apart, for it is slower.
boundscheck: .venv/dev
	NUMBA_BOUNDSCHECK=1 XDG_CACHE_HOME=$(CURDIR)/.boundscheck $(BIN)/pytest --numprocesses 2 --dist loadfile

# Representative searches under valgrind, which sees reads and writes outside of any block. A first run fills the cache:
# valgrind shall watch the searches, not the compiler. For a plain processor, since the one that valgrind shows is another.
memcheck: export NUMBA_CPU_NAME = generic
memcheck: export NUMBA_CPU_FEATURES =
memcheck: export XDG_CACHE_HOME = $(CURDIR)/.memcheck
memcheck: .venv/dev
	@command -v valgrind >/dev/null || { echo "this needs valgrind: apt-get install valgrind"; exit 1; }
	$(BIN)/python tests/memcheck.py
	PYTHONMALLOC=malloc valgrind --quiet --error-exitcode=1 --leak-check=no --undef-value-errors=no \
	  --suppressions=tests/memcheck.supp \
	  $(BIN)/python tests/memcheck.py

# 100,000 mutated files of each format; what is neither read nor refused is kept in fuzz-found.
fuzz: .venv/dev
	$(BIN)/python tests/fuzz_files.py

bench: .venv/dev
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/python benchmarks/search.py

screenshots: .venv/dev chromium
	$(BIN)/python docs/screenshots.py

clean:
	rm -rf .venv .boundscheck .memcheck fuzz-found .pytest_cache .mypy_cache .ruff_cache .hypothesis

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
