# Every target sets up what it needs: a virtual environment in .venv and, where Postgres takes part,
# Debian's postgresql package; the tests look at reports in Debian's chromium. The second time
# nothing is left to do.

PYTHON  ?= python3
WORKERS ?= 4
DATA    ?= ../shared/data
ARGS    ?=

VENV    := .venv
BIN     := $(VENV)/bin
READY   := $(VENV)/.ready
RIVALS  := $(VENV)/.bench
SOURCES := $(wildcard sqldiag tests fixtures bench)

.DEFAULT_GOAL := help
.PHONY: help demo test check format sql picture bench bench-quick reproduce postgres chromium clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(READY) ## 100,000 hospital rows in DuckDB, diagnosed step by step
	@$(BIN)/python fixtures/demo.py $(ARGS)

test: $(READY) postgres chromium ## every test, on DuckDB and on a throwaway Postgres (ARGS="-k duckdb" for some)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

check: $(READY) ## ruff and mypy
	@$(BIN)/python -m ruff check $(SOURCES)
	@$(BIN)/python -m ruff format --check $(SOURCES)
	@$(BIN)/python -m mypy $(SOURCES)

format: $(READY) ## rewrite the sources as `make check` wants them
	@$(BIN)/python -m ruff check --fix $(SOURCES)
	@$(BIN)/python -m ruff format $(SOURCES)

sql: $(READY) ## render the SQL we send into sql/
	@$(BIN)/python -m tests.render_sql $(ARGS)

picture: $(READY) chromium ## take the README's picture of a report
	@$(BIN)/python -m tests.picture

bench: $(RIVALS) postgres ## measure against other ways of asking, into docs/benchmarks
	@$(BIN)/python -m bench --scaling $(ARGS)

bench-quick: $(RIVALS) postgres ## the same on small tables, under two minutes, into build/benchmarks
	@$(BIN)/python -m bench --quick --output build/benchmarks $(ARGS)

reproduce: $(READY) postgres ## check published figures on the Adult data in DATA
	@$(BIN)/python -m tests.reproduce_adult $(DATA)

clean: ## remove the virtual environment, caches and builds
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml .ci/setup
	@PYTHON="$(PYTHON)" .ci/setup venv $(VENV)
	@touch $@

$(RIVALS): $(READY)
	@.ci/setup bench $(VENV)
	@touch $@

postgres:
	@.ci/setup postgres

chromium:
	@.ci/setup chromium
