# make run    sets up and opens the app in the browser
# make test   sets up and runs every check: format, lint, types, tests
# make nightly  runs what takes longer
# make boundscheck, make memcheck, make fuzz   look for faults of memory: slow, see below
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check warm unit browser shuffle nightly slow peers kills fuzz-requests fuzz boundscheck memcheck soak \
  bench screenshots chromium clean

run: .venv/run
	$(BIN)/contienda

# Two things at once: the checks while the compiler's cache is filled; then both kinds of tests, for those in the
# browser often wait. More workers than cores, because so do many others.
#
# What it costs in CPU seconds, measured one file after another, on a busy machine: about 500 for the unit tests with
# only the cache of `warm`, 130 for the browser, 20 for `warm`. Of the dozen files that cost most, 70 % is the
# compiler's: a test that needs another search, evaluator, board size or target pays 0.5 to 3 s for it, and one that
# plays a match with it as much again. So tests share the searches that others compile, and leave them to the
# interpreter where that shows the same. The files that cost most: test_paths 36, test_web_lab 28, test_champion,
# test_montecarlo, test_cli, test_learning, test_trace and test_lab 20 to 30 each. The tests that cost most: the two
# runs that are killed and resumed (test_web_lab 10, tests/browser/test_lab 7), the killed server and the documents'
# examples (test_web_process, 6 each), and the same games on threads, processes and a cluster (test_lab, 5).
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

# The page waits for minutes before it gives up: limits that are longer.
browser:
	$(BIN)/pytest -o addopts= -p no:randomly -p no:schemathesis -o timeout=600 -o faulthandler_timeout=660 \
	  --numprocesses 2 --dist loadfile tests/browser

# The unit tests in random order: none may depend on what another left behind. SEED=… repeats a run.
shuffle: .venv/dev
	$(BIN)/pytest --numprocesses 2 --dist loadfile -p randomly $(if $(SEED),--randomly-seed=$(SEED))

# What takes too long for make test: run it before a release.
nightly: slow peers boundscheck memcheck fuzz kills fuzz-requests soak

slow: .venv/dev
	$(BIN)/pip install --quiet -e '.[slow]'
	$(BIN)/pytest -m slow -o timeout=1800 -o faulthandler_timeout=1860 --numprocesses 2 --dist loadfile

# Rules and values beside those of other packages.
peers: .venv/dev
	$(BIN)/pip install --quiet -e '.[peers]'
	$(BIN)/pytest -o addopts= -p no:randomly -p no:playwright -p no:schemathesis tests/peers

# The server, the lab, training and the book, each killed 100 times; a million requests that nobody would send.
kills: .venv/dev
	$(BIN)/python tests/attack/kill.py all

fuzz-requests: .venv/dev
	$(BIN)/python tests/attack/fuzz_requests.py

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

# An hour of a class with kills, full disks and attackers; MINUTES=3 for a look.
MINUTES ?= 60
soak: .venv/dev
	$(BIN)/python benchmarks/soak.py --minutes $(MINUTES)

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
