# One task file: `make run` and `make test` do all the set-up on a fresh machine; CI calls `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: test run lint types layers unit fuzz soak format clean

test: lint types layers unit

run: $(READY)
	$(BIN)/sekisho run

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports --no-logo

unit: $(READY)
	$(BIN)/pytest -n 2

fuzz: $(READY)
	FUZZ_EXAMPLES=2000 $(BIN)/pytest -q tests/test_fuzz.py tests/test_fuzz_replies.py

# Kills 200 real runs and lets readers and a writer loose for two minutes: docs/reliability.md. Some twenty minutes.
soak: $(READY)
	$(BIN)/python -m tests.crash

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) state build *.egg-info

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ": set PYTHON") if sys.version_info < (3, 11) else 0'
	@command -v c++ >/dev/null || { echo "A C++ compiler is needed to build hnswlib (Debian: apt-get install g++ python3-dev)"; exit 1; }
	@echo "Setting up $(VENV): about 2 GB, several minutes the first time."
	$(PYTHON) -m venv $(VENV)
	@echo "Installing packages: this takes minutes, and nothing is printed meanwhile."
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(READY)
