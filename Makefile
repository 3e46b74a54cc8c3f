# Commonsight. `make` on its own lists the targets.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-stamp
# Two workers suit the smallest machine that we test on.
PYTEST := $(BIN)/pytest -n 2 --dist worksteal

.PHONY: help setup demo test test-slow test-peers lint bench docs screenshots detector fresh constraints clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP)  ## create .venv and install everything that the demo and the tests need

$(STAMP): pyproject.toml constraints.txt offline.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r offline.txt
	@touch $@

# An environment that is already there is used as it is.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "$(PYTHON) is missing or older than Python 3.11. Name another: make setup PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

demo: setup  ## draw a world, build, audit, train, run and report on it (some ten minutes; writes to demo-out/)
	@examples/demo.sh

# pytest comes last, so that its closing line is the last line.
test: setup lint  ## lint, type-check and run every test that is not marked slow
	@$(PYTEST) -m 'not slow'

test-slow: setup  ## every test, slow ones too, with many more generated examples
	@HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-thorough} $(PYTEST)

# inspect-ai wants older versions of what others of our dependencies want newer: it gets an environment of its own.
test-peers: | $(BIN)/python  ## load the exports with the real Inspect, in an environment of its own
	@test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	@.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check -e . inspect-ai==0.3.285 pytest pytest-xdist hypothesis
	@.venv-peers/bin/python -m pytest -k inspect tests/runs/exports/test_real_peers.py

# mypy refuses a folder without Python files, so bench/ is named file by file.
lint: setup  ## ruff check, and mypy in strict mode
	@$(BIN)/ruff check .
	@$(BIN)/mypy src $(wildcard bench/*.py)

bench: setup  ## run every benchmark of our own speed; each prints its ratios
	@shopt -s nullglob; \
	benches=(bench/bench_*.py); \
	if (($${#benches[@]} == 0)); then echo "bench/ holds no bench_*.py yet"; fi; \
	for bench in "$${benches[@]}"; do echo "== $$bench"; $(BIN)/python "$$bench"; done

docs: setup  ## run every example of the guide anew and write down what it printed
	@$(BIN)/python docs/refresh.py

screenshots: setup  ## make the README's pictures anew, with Debian's Chromium
	@$(BIN)/python docs/screenshots.py

# The same seed and the same versions give the same file.
detector: setup  ## train the shipped detector of drawn scenes anew, and measure it (some ten minutes)
	@folder="$$(mktemp -d)"; trap 'rm -rf "$$folder"' EXIT; \
	$(BIN)/commonsight world make --out "$$folder/eyes" --scenes 6000 --seed 11 --kind cric; \
	seen=("$$folder/eyes/raw/scene_graphs.json" --images "$$folder/eyes/raw/images"); \
	$(BIN)/commonsight train-detector "$${seen[@]}" --threads 1 --out "$$folder/detector"; \
	cp "$$folder/detector/detector.onnx" src/commonsight/build/imaging/drawn_detector.onnx; \
	$(BIN)/python bench/quality_detector.py "$${seen[@]}"

# The inner make starts without our flags and with an environment of its own.
fresh:  ## clone the last commit elsewhere, and run the demo and the tests there from nothing
	@if [[ -n "$$(git status --porcelain)" ]]; then echo "note: uncommitted changes are not part of this"; fi; \
	data="$${COMMONSIGHT_DATA:-}"; \
	if [[ -z "$$data" && -d ../shared/data ]]; then data="$$(cd ../shared/data && pwd)"; fi; \
	if [[ -n "$$data" ]]; then export COMMONSIGHT_DATA="$$data"; fi; \
	folder="$$(mktemp -d)"; \
	trap 'echo "make fresh failed; the clone is kept at $$folder/commonsight" >&2' ERR; \
	git clone --quiet . "$$folder/commonsight"; \
	for target in demo test; do \
	  env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make --no-print-directory -C "$$folder/commonsight" PYTHON='$(PYTHON)' $$target; \
	done; \
	rm -rf "$$folder"

constraints:  ## resolve the newest versions anew and write constraints.txt
	@folder="$$(mktemp -d)"; trap 'rm -rf "$$folder"' EXIT; \
	$(PYTHON) -m venv "$$folder/venv"; \
	"$$folder/venv/bin/pip" install --quiet --disable-pip-version-check '.[dev]'; \
	{ grep '^#' constraints.txt; "$$folder/venv/bin/pip" freeze --exclude commonsight | sed 's/+cpu$$//'; } > "$$folder/constraints.txt"; \
	cp "$$folder/constraints.txt" constraints.txt

clean:  ## remove caches, demo-out/ and build output; .venv stays
	rm -rf demo-out dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find $(wildcard src tests bench examples) -name __pycache__ -type d -prune -exec rm -rf {} +
