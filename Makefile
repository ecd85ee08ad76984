# Every target sets up what it needs in .venv, and again when pyproject.toml or constraints.txt
# change. Each recipe is a line that could be typed by hand.
#
#   make train                        train an agent, then compare it with the bots
#   make test                         run the tests
#   make train CONFIG=my.yaml         train with another configuration
#   make test-interop LIBRARY=torchrl   try an algorithm library; all of them without LIBRARY
#   make test PIP_ARGS="--index-url URL"     pass options to pip, such as an index of CPU builds

PYTHON ?= python3
PIP_ARGS ?=
CONFIG ?= configs/ppo/quick.yaml
PYTEST_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := pip --disable-pip-version-check --no-input install $(PIP_ARGS)
PIP := $(BIN)/python -m $(PIP_INSTALL) -c constraints.txt
DONE := $(VENV)/.installed
FLOOR := .venvs/floor

.DEFAULT_GOAL := help
# One pip at a time, whatever -j says.
.NOTPARALLEL:
.PHONY: help install train test test-nojit test-slow test-interop test-floor check bench performance leaderboard peers format build clean-cache

help:
	@sed -n 's/^#   //p' Makefile
	@echo "Targets: install train test test-nojit test-slow test-interop test-floor check bench performance leaderboard peers format build clean-cache"

install: $(DONE)-train $(DONE)-interop $(DONE)-test $(DONE)-dev

train: $(DONE)-train
	$(BIN)/mjenv train --config $(CONFIG)

# Kernels are compiled by one process first: parallel test processes would all compile the same.
test: $(DONE)-train $(DONE)-interop $(DONE)-test
	$(BIN)/python -c "import mjenv; mjenv.warm_up()"
	$(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST_ARGS)

test-slow: $(DONE)-train $(DONE)-test
	$(BIN)/python -c "import mjenv; mjenv.warm_up()"
	$(BIN)/python -m pytest -m slow $(PYTEST_ARGS)

# Algorithm libraries do not all fit into one environment: each has its own in .venvs. All are tried,
# whatever fails before.
LIBRARY ?= cleanrl sb3 torchrl tianshou rllib agilerl ray
test-interop:
	@results=; failed=0; for library in $(LIBRARY); do \
		if $(MAKE) --no-print-directory interop-$$library; then result=passed; \
		else result=FAILED; failed=1; fi; \
		results="$$results$$(printf '%-10s %s' $$library $$result)\n"; \
	done; printf "\n$$results"; exit $$failed

interop-%: .venvs/%/.installed
	.venvs/$*/bin/python -m pytest $(PYTEST_ARGS) tests/interop/test_$**.py
	.venvs/$*/bin/python -m pytest $(PYTEST_ARGS) tests/test_docs.py -k algorithms.md

.PRECIOUS: .venvs/%/.installed
.venvs/%/.installed: examples/requirements/%.txt pyproject.toml constraints.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m $(PIP_INSTALL) $$(grep '^torch==' constraints.txt)
	$(@D)/bin/python -m $(PIP_INSTALL) --requirement $< --editable .
	touch $@

# Compiled lines are invisible to coverage, so it is measured on plain Python.
test-nojit: $(DONE)-train $(DONE)-test
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest $(PYTEST_ARGS)
	$(BIN)/coverage combine
	$(BIN)/coverage report

# Everything but training, with the oldest versions that pyproject.toml allows.
test-floor: $(FLOOR)/.installed
	$(FLOOR)/bin/python -c "import mjenv; mjenv.warm_up()"
	$(FLOOR)/bin/python -m pytest -n auto --dist worksteal --ignore=tests/train --ignore=tests/interop \
		--ignore=tests/agents/test_ppo_agent.py --ignore=tests/test_docs.py $(PYTEST_ARGS)

# The types of torch and the others are needed to check ours, hence the train extra.
check: $(DONE)-train $(DONE)-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/codespell

bench: $(DONE)-core
	$(BIN)/mjenv bench

# Writes benchmarks/results and the tables of docs/performance.md and the README anew.
performance: $(DONE)-train
	$(BIN)/python benchmarks/report.py

# Plays the ladder in every preset and writes the tables of docs/leaderboard.md anew.
leaderboard: $(DONE)-train
	$(BIN)/python -m train.leaderboard

# An environment for each library that `make performance` compares with; those that cannot be
# installed are left out.
PEERS ?= $(basename $(notdir $(wildcard benchmarks/peers/requirements/*.txt)))
peers:
	@missing=; for peer in $(PEERS); do \
		$(MAKE) --no-print-directory .venvs/peers/$$peer/.installed || missing="$$missing $$peer"; \
	done; test -z "$$missing" || echo "left out:$$missing"

.venvs/peers/%/.installed: benchmarks/peers/requirements/%.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m $(PIP_INSTALL) --requirement $<
	touch $@

format: $(DONE)-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

build: $(DONE)-dev
	$(BIN)/python -m build

# Compiled kernels and the caches of the tools. Kernels also notice a changed source by themselves.
FORGET_KERNELS := import shutil; from mjenv.core.kernel import cache_directory; \
	shutil.rmtree(cache_directory(), ignore_errors=True)
clean-cache:
	if [ -x $(BIN)/python ]; then $(BIN)/python -c "$(FORGET_KERNELS)"; fi
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.*
	find mjenv agents train tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "mjenv needs Python 3.11 or newer; choose one with 'make PYTHON=python3.12 ...'" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(DONE)-core: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --quiet --editable .
	touch $@

# torch goes first and alone, at its exact version: an open range may fetch a build of gigabytes.
$(DONE)-torch: constraints.txt | $(BIN)/python
	$(PIP) $$(grep '^torch==' constraints.txt)
	touch $@

$(DONE)-train $(DONE)-interop: $(DONE)-torch
$(DONE)-train $(DONE)-interop $(DONE)-test $(DONE)-dev: $(DONE)-%: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --quiet --editable ".[$*]"
	touch $@ $(DONE)-core

$(FLOOR)/.installed: pyproject.toml constraints-floor.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info[:2] != (3, 11))" || \
		{ echo "the oldest versions are those for Python 3.11; say 'make PYTHON=python3.11 ...'" >&2; exit 2; }
	$(PYTHON) -m venv $(FLOOR)
	$(FLOOR)/bin/python -m $(PIP_INSTALL) -c constraints-floor.txt --editable ".[test]"
	touch $@
