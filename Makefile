# `make check`: judge the reference over the protocol.  `make test`: pass the project's own tests.  `make test-lab`: those of
# its laboratory.  All set up everything they need in .venv and can be the first command in a new clone.

# Where it is set, every process that a test starts would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TIMED := $(PYTHON) conformance/timed.py

# An install that is not editable, such as pip install '.[fast]', takes the editable one away; then it is set up anew.
ifneq ($(wildcard $(VENV)/.run-stamp),)
ifneq ($(shell $(BIN)/python -c "from importlib.util import find_spec; print(find_spec('belot_site') is not None)" 2>/dev/null),True)
$(shell rm -f $(VENV)/.run-stamp $(VENV)/.site-stamp $(VENV)/.dev-stamp $(VENV)/.mutation-stamp)
endif
endif

.DEFAULT_GOAL := help
.PHONY: help wheel assets try-wheel check checked test test-lab test-data set-up all-tests tests kernels lint types cases-lint mutants mutants-sample bars ledger worth engine-mutants breaks hostile site serve clean

help:
	@echo "make check   set up, then put every case to the reference engine over the protocol"
	@echo "make test    set up, then run ruff, mypy, the case lint and the tests"
	@echo "make test-lab   set up, then run the tests of the laboratory: the kernel, measurements, hostile trials"
	@echo "make test-data   set up, then put the cases to the engine: for who changed only rules or cases (a minute)"
	@echo "make mutants   change every rule value; does a case notice? (some minutes)"
	@echo "make bars BARS=tables   are wrong programs noticed? (also: audit, faults, fuzz, kernel, mistakes, rules; a minute to an hour)"
	@echo "make ledger   get the published programs of the ledger, and measure what they play (half an hour)"
	@echo "make worth   what is every option and other value of a rule worth? (twenty minutes)"
	@echo "make engine-mutants   break the engine; does a case notice? (half an hour)"
	@echo "make breaks   break the product in sixty small ways; does a test notice? (hours)"
	@echo "make hostile   hostile files, programs and signals: does belot stand? (ten minutes)"
	@echo "make site    set up, then build the site in Dutch, English and French into build/site"
	@echo "make serve   show the site at http://127.0.0.1:8000"
	@echo "make wheel   build what others install, into dist"
	@echo "make clean   remove what the two made"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "belot-conformance needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + ". Say which to use: make PYTHON=python3.11 check")'
	@echo "Setting up $(VENV) (once; less than a minute)"
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { \
	  rm -rf $(VENV); \
	  $(PYTHON) -m pip install --quiet --target .venv-bootstrap virtualenv && \
	  PYTHONPATH=.venv-bootstrap $(PYTHON) -m virtualenv --quiet $(VENV); }

$(VENV)/.run-stamp: $(BIN)/python pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.site-stamp: $(BIN)/python pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	@touch $@ $(VENV)/.run-stamp

$(VENV)/.dev-stamp: $(BIN)/python pyproject.toml
	@# Python compiles what it imports; pip would compile all that is installed, which takes longer.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev,site,site-test]'
	@touch $@ $(VENV)/.site-stamp $(VENV)/.run-stamp

$(VENV)/.mutation-stamp: $(BIN)/python pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,site,site-test,mutation]'
	@touch $@ $(VENV)/.dev-stamp $(VENV)/.run-stamp

# What the playground runs on; where npm or the network is missing the site is built without it, and says so.
site/node_modules/.stamp: site/package.json
	@if command -v npm >/dev/null; then \
	  npm install --prefix site --no-package-lock --no-audit --no-fund --ignore-scripts --omit=dev --loglevel=error \
	    --fetch-retries=1 --fetch-timeout=60000 && touch $@ || echo "No Pyodide: the site comes without its playground"; \
	else echo "No npm: the site comes without its playground"; fi

check: $(VENV)/.run-stamp
	@$(BIN)/belot check -- $(BIN)/belot answer

checked: $(VENV)/.run-stamp
	$(BIN)/belot check --drawn 0 reference

# One file or some: make test TESTS="conformance/tests/test_cases.py site/tests"
test:
	@$(TIMED) "Set up" $(MAKE) --no-print-directory --jobs 2 set-up
	@$(TIMED) "make test" $(MAKE) --no-print-directory $(if $(TESTS),tests,all-tests)

# One file or some: make test-lab TESTS=conformance/laboratory/tests/test_worth.py
test-lab:
	@$(TIMED) "Set up" $(MAKE) --no-print-directory --jobs 2 set-up
	@$(TIMED) "make test-lab" $(MAKE) --no-print-directory kernels tests TESTS="$(or $(TESTS),conformance/laboratory/tests site/tests/lab)"

# For who changed only the rules or the cases.
test-data:
	@$(TIMED) "Set up" $(MAKE) --no-print-directory $(VENV)/.dev-stamp
	@$(TIMED) "make test-data" $(MAKE) --no-print-directory --jobs 2 cases-lint checked mutants-sample

set-up: $(VENV)/.dev-stamp site/node_modules/.stamp

all-tests:
	@$(MAKE) --no-print-directory --jobs 2 kernels lint cases-lint mutants-sample
	@# Tests that wait for a program leave a core idle, on which the types are checked.
	@$(MAKE) --no-print-directory --jobs 2 tests types

# Compiled and kept here, or every worker of pytest and every machine of a cluster would compile them for itself.
kernels: $(VENV)/.dev-stamp
	@$(BIN)/python -m kernel_testing 2>/dev/null

tests: $(VENV)/.dev-stamp
	$(BIN)/python -m pytest -n auto --dist worksteal $(TESTS)

# One module or some: make engine-mutants MODULES="play tricks"
engine-mutants: $(VENV)/.mutation-stamp
	@$(BIN)/python -m laboratory.engine_mutants $(MODULES)

# What each test runs is recorded once, 'make breaks BREAKS=--record' anew. Others, or on: make breaks BREAKS="--seed 2 --resume"
breaks: kernels site/node_modules/.stamp
	@test -e build/breaks/files.json || $(BIN)/belot lab breaks --record
	@$(BIN)/belot lab breaks $(BREAKS)

# Longer, otherwise, one door: make hostile HOSTILE="--rounds 10 --seed 2 --door files"
hostile: $(VENV)/.dev-stamp
	@$(BIN)/python -m laboratory.hostile $(HOSTILE)

site: $(VENV)/.site-stamp site/node_modules/.stamp
	@$(BIN)/python -m belot_site build

# What others install, without an index: the packages, the rules and the cases.
wheel: $(VENV)/.dev-stamp
	@$(BIN)/hatchling build

# What the release of a tag is published as: make assets TAG=v0.2.0; where the tag before it is missing, with SINCE=REVISION
assets: $(VENV)/.dev-stamp
	@$(BIN)/belot lab assets $(TAG) dist/$(TAG) $(if $(SINCE),--since $(SINCE))

# Installs a wheel or an sdist where nothing else is, and puts every case to the engine in it; without a network if
# PIP_NO_INDEX=1 and PIP_FIND_LINKS name a folder of what it needs: make try-wheel WHEEL=dist/….whl
try-wheel:
	@rm -rf build/tried && $(PYTHON) -m venv build/tried
	@build/tried/bin/python -m pip install --quiet --disable-pip-version-check $(WHEEL)
	@cd build/tried && bin/belot --version && bin/belot check --drawn 0 -- bin/belot answer
	@build/tried/bin/python -m pip install --quiet --disable-pip-version-check "$(WHEEL)[fast,rl,cluster,notebook]"
	@cd build/tried && bin/belot spec tables bela-4 --output bela-4.npz && bin/python -c "import belot.rl, distributed, nbclient"

serve: site
	@$(BIN)/python -m belot_site serve

lint: $(VENV)/.dev-stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev-stamp
	$(BIN)/mypy
	$(BIN)/mypy conformance/conftest.py conformance/tests
	$(BIN)/mypy site/tests

mutants: $(VENV)/.run-stamp
	$(BIN)/belot lab mutants --in-place

# One of them, and more or fewer programs, or others: make bars BARS="tables --tables 5 --seed 2"
bars: $(VENV)/.dev-stamp
	$(BIN)/belot lab bars $(BARS)

# One program or some, and written into its entry: make ledger LEDGER="colver --in-place"
ledger: $(VENV)/.run-stamp
	$(BIN)/belot lab ledger $(LEDGER)

# 250,000 deals of each change of every variant, into spec/worth; more: make worth WORTH="--profile belotten --deals 1000000"
worth: $(VENV)/.dev-stamp
	$(BIN)/belot lab worth $(if $(SCHEDULER),--scheduler $(SCHEDULER)) $(WORTH)

mutants-sample: $(VENV)/.dev-stamp
	$(BIN)/belot lab mutants --profile bela-4 --profile belotten --profile open-belot --sample 60 --show 3

cases-lint: $(VENV)/.dev-stamp
	$(BIN)/belot spec lint
	$(BIN)/belot cases lint

clean:
	rm -rf $(VENV) .venv-bootstrap build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
