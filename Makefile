# make demo   the main job on a bilingual sample corpus
# make test   everything but the slow and the GPU tests
# Every target sets up what it needs once and does nothing when it is already there.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
DEMO_DIR ?= .demo
MODELS := builtin:gemma3-270m builtin:e5-small
TEST_MODELS := builtin:smollm2-135m builtin:minilm builtin:use-multilingual
PYTEST := $(BIN)/python -m pytest

.PHONY: install models test-models demo test test-slow check bench serve clean

install: $(INSTALLED)

# torch is pinned in constraints.txt and must resolve together with what depends on it: a separate
# install could bring several gigabytes of CUDA libraries.
$(INSTALLED): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing into .venv; this takes a few minutes, once"
	$(BIN)/python -m pip install -qq --constraint constraints.txt --editable '.[dev,eval,mcp,ocr,pdf,postgres]'
	touch $@

# Gemma's weights are data under Google's Gemma Terms of Use; running make accepts them, and the
# terms are printed and kept beside the weights.
models: $(INSTALLED)
	$(BIN)/haozhi models install $(MODELS) --accept-licence gemma

test-models: models
	$(BIN)/haozhi models install $(TEST_MODELS)

demo: models
	HAOZHI_DATA_DIR=$(DEMO_DIR) $(BIN)/python -m haozhi.demo

test: test-models
	$(PYTEST) -m "not slow and not gpu"

test-slow: test-models
	$(PYTEST) -m "slow or gpu"

check: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; export HAOZHI_DATA_DIR="$$dir"; \
	  $(BIN)/haozhi db upgrade; $(BIN)/haozhi db check
	$(PYTEST) tests/unit tests/property

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks posting

serve: models
	$(BIN)/haozhi serve

clean:
	rm -rf .venv $(DEMO_DIR) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find haozhi ingest store migrations tests -name __pycache__ -prune -exec rm -rf {} +
