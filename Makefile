# Every target works on a fresh clone: each builds .venv from the pinned list first (a no-op when it is up to date).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
STAMP := $(VENV)/.requirements.lock

.PHONY: benchmarks bsl_ls help setup run test lint types imports format worker check_tasks measure migrate messages lock clean

help:  ## list the targets
	@grep -hE '^[a-z_]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(STAMP)  ## build .venv from requirements.lock

$(STAMP): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "PRISM needs Python 3.11 or newer, found " + sys.version.split()[0])'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing the pinned packages into $(VENV): minutes the first time"
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -r requirements.lock
	@cp requirements.lock $(STAMP)

run: setup  ## migrate, import the bank, score the controls, start site and worker
	@$(MANAGE) run_demo

migrate: setup  ## bring the database up to date
	$(MANAGE) migrate

worker: setup  ## one scoring worker
	$(MANAGE) scoring_worker

test: setup  ## the whole test suite (ARGS="tests/engine -k name" narrows it)
	$(BIN)/python -m pytest $(ARGS)

lint: setup  ## ruff, import-linter, mypy
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy

types: setup  ## mypy alone
	$(BIN)/mypy

imports: setup  ## the dependency rules alone
	$(BIN)/lint-imports

format: setup  ## sort imports and mend what ruff can mend
	$(BIN)/ruff check --fix .

check_tasks: setup  ## references pass, controls fail as declared, load profiles separate
	$(MANAGE) check_tasks

measure: setup  ## print every figure and compare with .ci/figures.json
	$(BIN)/python scripts/measure.py $(ARGS)

benchmarks: setup  ## run the benchmarks and keep their figures for the READMEs (ARGS="board queries")
	$(BIN)/python scripts/benchmarks.py $(ARGS)

messages: setup  ## compile the translations
	$(MANAGE) compile_messages

bsl_ls:  ## install BSL Language Server with its dependencies into var/bsl_ls (Maven and Java 21 or newer)
	mvn -q -f docker/bsl_ls/pom.xml dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=$(CURDIR)/var/bsl_ls

lock:  ## resolve pyproject.toml anew into requirements.lock
	rm -rf var/lock && $(PYTHON) -m venv var/lock
	var/lock/bin/python -m pip install --quiet --disable-pip-version-check ".[dev]"
	var/lock/bin/python -m pip freeze --exclude prism-1c > requirements.lock
	rm -rf var/lock

clean:  ## remove caches and the local database, keep .venv
	rm -rf var .pytest_cache .mypy_cache .ruff_cache .import_linter_cache staticfiles
