# make run    sets up and opens the app in the browser
# make test   sets up and runs every check: format, lint, types, tests
# make nightly  runs what takes longer
# make texts  brings the catalogues of texts up to date
# make boundscheck, make memcheck, make fuzz   look for faults of memory: slow, see below
PYTHON ?= python3
BIN := .venv/bin

# Tests start many processes, each of which would parse all our sources anew where somebody has set this: 0.3 s of CPU.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run test check warm unit browser shuffle nightly slow peers kills fuzz-requests fuzz boundscheck memcheck soak \
  texts bench screenshots chromium clean

# The app compiles what it needs in the background; the command line finds the rest ready.
run: .venv/run
	$(BIN)/contienda warm --background >/dev/null 2>&1 &
	$(BIN)/contienda

# Two things at once: the checks while the caches are filled, then the unit tests, and those in the browser as soon as
# the checks are done. More workers than cores, because many tests wait.
#
# What it costs, in CPU seconds: some 45 to install (with the bytecode of all packages), 22 for `warm`, 4 for each
# worker to collect the tests (8 without bytecode). The unit tests of November 2026, 2,953, took 1,050 on a busy
# machine: 750 in the workers, of which 450 in the compiler, and 290 in processes that tests start. Since then functions
# that are compiled for others are made without what only Python needs (about a tenth less), and the dearest tests share what
# they compile. The whole has not been measured since. Every run of more than a minute ends with the list of the files
# and tests that cost most.
#
# A search is compiled anew for another evaluator, board size or target, for 0.5 to 7 s, and for a match 1.4 s more, once
# for each order of its players: so let tests share what others compile, and change the sides on the board instead of in
# the match. About half is LLVM's; still, NUMBA_OPT=1 saves no more than the noise, and NUMBA_OPT=0 costs a third more. A
# command in a process of its own costs 1 to 3 s: run it there only where the process is the point.
test: .venv/dev chromium
	$(MAKE) --jobs=2 --output-sync=target check unit browser

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# Machine code and bytecode, each made once, by one process, while the checks have the other core.
warm: .venv/dev
	$(BIN)/python tests/warm.py
	-$(BIN)/pytest --collect-only --quiet >/dev/null

# They make way for the browser's: there the lab's games run in the background, behind whatever else is busy, and a person
# who waits for them is what those tests play.
unit: warm
	nice -n 5 $(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

# The page waits for minutes before it gives up: limits that are longer.
browser: warm
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
	$(BIN)/python tests/attack/memcheck.py
	PYTHONMALLOC=malloc valgrind --quiet --error-exitcode=1 --leak-check=no --undef-value-errors=no \
	  --suppressions=tests/attack/memcheck.supp \
	  $(BIN)/python tests/attack/memcheck.py

# 100,000 mutated files of each format; what is neither read nor refused is kept in fuzz-found.
fuzz: .venv/dev
	$(BIN)/python tests/attack/fuzz_files.py

# Every text of the code into the catalogue of each language; what it prints waits for its translator. NEW=fr begins
# a language.
texts: .venv/dev
	$(BIN)/python tests/texts.py $(NEW)

bench: .venv/dev
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/python benchmarks/search.py

# An hour of a class with kills, full disks and attackers; MINUTES=3 for a look.
MINUTES ?= 60
soak: .venv/dev
	$(BIN)/python tests/attack/soak.py --minutes $(MINUTES)

screenshots: .venv/dev chromium
	$(BIN)/python docs/screenshots.py

clean:
	rm -rf .venv .boundscheck .memcheck fuzz-found .pytest_cache .import_linter_cache .mypy_cache .ruff_cache .hypothesis

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
	$(BIN)/pip install --quiet --no-compile -e '.[dev]'
	touch $@ .venv/run
