# make run    sets up and opens the app in the browser
# make test   sets up and runs every check: format, lint, types, tests
# make nightly  runs what takes longer
# make texts  brings the catalogues of texts up to date
# make boundscheck, make memcheck, make fuzz   look for memory errors: slow, see below
PYTHON ?= python3
BIN := .venv/bin

# Tests start many processes. Without bytecode each of them would parse all sources again: 0.3 s of CPU.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run test check warm unit browser shuffle nightly slow peers jupyter kills fuzz-requests fuzz boundscheck memcheck soak \
  texts bench screenshots chromium slurm clean

# The app compiles what it needs in the background; the command line finds the rest ready.
run: .venv/run
	$(BIN)/contienda warm --background >/dev/null 2>&1 &
	$(BIN)/contienda

# Two jobs at once: the checks while the caches are filled, then the unit tests, and the browser tests as soon as the
# checks are done. There are more workers than cores, because many tests wait.
#
# What it costs, in CPU seconds: some 45 to install (with the bytecode of all packages), 30 for the checks, nearly all of
# them mypy's, 22 to 29 for `warm`, 5 for each worker to collect the tests (8 without bytecode), 715 for the 4,088 unit
# tests of November 2026 with cold caches, and 131 for those in the browser, Chromium's own not counted. Every run of
# more than a minute ends with the list of the files and tests that cost most.
#
# A search is compiled again for another evaluator, board size or target: 0.5 to 7 s, and 1.4 s more for a match, once
# for each order of its players. So let tests share what others compile, and swap the sides on the board instead of in
# the match. LLVM takes about half of it; still, NUMBA_OPT=1 saves nothing measurable, and NUMBA_OPT=0 costs a third
# more. A command in its own process costs 1 to 3 s: do that only to test the process.
test: .venv/dev chromium
	$(MAKE) --jobs=2 --output-sync=target check unit browser

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# Machine code and bytecode, each made once by one process, while the checks use the other core.
warm: .venv/dev
	$(BIN)/python tests/warm.py
	-$(BIN)/pytest --collect-only --quiet >/dev/null

# They run at a lower priority than the browser tests, which wait for the lab's games in the background.
unit: warm
	nice -n 5 $(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

# Longer limits: the page waits for minutes before it gives up.
browser: warm
	$(BIN)/pytest -o addopts= -p no:randomly -p no:schemathesis -o timeout=600 -o faulthandler_timeout=660 \
	  --numprocesses 2 --dist loadfile tests/browser

# The unit tests in random order: no test may depend on another. SEED=… repeats a run.
shuffle: .venv/dev
	$(BIN)/pytest --numprocesses 2 --dist loadfile -p randomly $(if $(SEED),--randomly-seed=$(SEED))

# Everything that takes too long for make test: run it before a release.
nightly: slow peers jupyter boundscheck memcheck fuzz kills fuzz-requests soak

slow: .venv/dev slurm
	$(BIN)/pip install --quiet -e '.[slow]'
	$(BIN)/pytest -m slow -o timeout=1800 -o faulthandler_timeout=1860 --numprocesses 2 --dist loadfile

# Compare rules and values with other packages.
peers: .venv/dev
	$(BIN)/pip install --quiet -e '.[peers]'
	$(BIN)/pytest -o addopts= -p no:randomly -p no:playwright -p no:schemathesis tests/peers

# Widgets in a real JupyterLab, in Chromium.
jupyter: .venv/dev chromium
	$(BIN)/pip install --quiet -e '.[jupyter]'
	$(BIN)/pytest -o addopts= --import-mode=importlib -p no:randomly -p no:playwright -p no:schemathesis -o timeout=900 \
	  -o faulthandler_timeout=960 tests/jupyter

# Kill the server, the lab, training and the book 100 times each; send a million malformed requests.
kills: .venv/dev
	$(BIN)/python tests/attack/kill.py all

fuzz-requests: .venv/dev
	$(BIN)/python tests/attack/fuzz_requests.py

# The whole suite with bounds checks in compiled code, which is slower and has its own cache.
boundscheck: .venv/dev
	NUMBA_BOUNDSCHECK=1 XDG_CACHE_HOME=$(CURDIR)/.boundscheck $(BIN)/pytest --numprocesses 2 --dist loadfile

# Representative searches under valgrind, which finds reads and writes outside of any block. A first run fills the cache,
# so that valgrind watches the searches and not the compiler. The code is for a generic processor, because valgrind
# emulates a different one.
memcheck: export NUMBA_CPU_NAME = generic
memcheck: export NUMBA_CPU_FEATURES =
memcheck: export XDG_CACHE_HOME = $(CURDIR)/.memcheck
memcheck: .venv/dev
	@command -v valgrind >/dev/null || { echo "this needs valgrind: apt-get install valgrind"; exit 1; }
	$(BIN)/python tests/attack/memcheck.py
	PYTHONMALLOC=malloc valgrind --quiet --error-exitcode=1 --leak-check=no --undef-value-errors=no \
	  --suppressions=tests/attack/memcheck.supp \
	  $(BIN)/python tests/attack/memcheck.py

# 100,000 mutated files of each format; those that are neither read nor refused are saved in fuzz-found.
fuzz: .venv/dev
	$(BIN)/python tests/attack/fuzz_files.py

# Update the catalogues of all languages from the code; prints the texts that need a translation. NEW=fr starts a
# language.
texts: .venv/dev
	$(BIN)/python tests/texts.py $(NEW)

bench: .venv/dev
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/python benchmarks/search.py

# Simulate an hour of a class with kills, full disks and attackers; MINUTES=3 for a short run.
MINUTES ?= 60
soak: .venv/dev
	$(BIN)/python tests/attack/soak.py --minutes $(MINUTES)

screenshots: .venv/dev chromium
	$(BIN)/python docs/screenshots.py

clean:
	rm -rf .venv .boundscheck .memcheck fuzz-found .pytest_cache .import_linter_cache .mypy_cache .ruff_cache .hypothesis

# The browser of the tests: Debian's Chromium, if possible without a window, which takes a third less CPU time.
chromium:
	@command -v chromium-headless-shell >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && { apt-get update -qq; apt-get install -y -qq chromium-headless-shell >/dev/null; } } || \
	  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  echo "the tests need a browser: apt-get install chromium-headless-shell"; exit 1; }

# The queue of a cluster, of one node: Debian's Slurm.
slurm:
	@command -v slurmctld >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends slurmctld slurmd slurm-client munge >/dev/null; } || { \
	  echo "the slow tests need Slurm, and to run as root: apt-get install slurmctld slurmd slurm-client munge"; exit 1; }

# Created again whenever the project's dependencies change.
.venv/run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -e '.[lab]'
	touch $@

.venv/dev: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --no-compile -e '.[dev]'
	touch $@ .venv/run

# --- The package, its documentation, and the browser's modules -------------------------------------------------------

.PHONY: package oldest lock coverage js js-test js-check

# Build the sdist and the wheel into dist/, and try the wheel in an empty environment. PYTHON_OF=python3.13 tries it with
# another Python.
package: .venv/dev
	$(BIN)/pip install --quiet build hatchling
	$(BIN)/python tests/package.py --out dist $(if $(PYTHON_OF),--python $(PYTHON_OF))

# The same with the oldest releases of everything that pyproject.toml allows.
oldest: .venv/dev
	$(BIN)/pip install --quiet build hatchling
	$(BIN)/python tests/package.py --oldest $(if $(PYTHON_OF),--python $(PYTHON_OF))

# Write down the versions in .venv: run it after make clean and make test.
lock: .venv/dev
	{ echo "# The versions that the tests were last run with. pip install -r requirements-dev.lock, then"; \
	  echo "# pip install --no-deps -e . to get the same. make lock writes this file."; \
	  $(BIN)/pip freeze --exclude-editable; } > requirements-dev.lock

# The lines of ordinary Python that no test runs; fails below the share in pyproject.toml, which also says what is left
# out and why. Slow: it runs all unit tests in one go.
coverage: .venv/dev
	$(BIN)/pip install --quiet 'coverage[toml]'
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# The browser's modules: unit tests by node's own runner, which needs nothing but node (0.5 s of CPU), then TypeScript's
# checker and ESLint, which npm installs into tests/js/node_modules.
js: js-test js-check

js-test: node
	node --import ./tests/js/modules.mjs --test tests/js/

js-check: node tests/js/node_modules
	tests/js/node_modules/.bin/tsc --project jsconfig.json
	tests/js/node_modules/.bin/eslint --config tests/js/eslint.config.js src/contienda/web/static/js

tests/js/node_modules: tests/js/package.json
	npm --prefix tests/js install --no-package-lock --no-audit --no-fund --silent
	touch $@

# Debian's node, 18.19 or newer, as chromium is Debian's.
.PHONY: node
node:
	@command -v node >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs >/dev/null; } || { \
	  echo "this needs node: apt-get install nodejs"; exit 1; }

# The documentation as a site in docs/_build/html, one folder for each language; a warning is an error.
.PHONY: docs
docs: .venv/dev
	$(BIN)/pip install --quiet -e '.[docs]'
	for each in en es; do \
	  DOCS_LANGUAGE=$$each $(BIN)/python -m sphinx -W --keep-going -q -c docs -b html -d docs/_build/trees/$$each \
	    -D language=$$each docs/$$each docs/_build/html/$$each || exit 1; \
	done
	cp docs/index.html docs/_build/html/index.html
	@echo "docs/_build/html/index.html"
