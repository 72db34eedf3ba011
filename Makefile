# make run: set up everything and open the window on the samples. make test: the same set-up, all checks.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
READY := $(VENV)/.ready

.PHONY: run test lint bench clean

run: $(READY)
	$(BIN)/prompt-inspector samples

test: $(READY) lint
	$(BIN)/python -m pytest -q -n 2 --dist loadfile

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m tests.bench

$(READY): pyproject.toml
	$(PYTHON) -c "import sys; sys.exit('Prompt Inspector needs Python 3.11 or newer' if sys.version_info < (3, 11) else 0)"
	$(PYTHON) -c "import ensurepip, venv" || { echo "This Python cannot make environments: on Debian or Ubuntu, apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $(READY)

clean:
	$(PYTHON) -c "import shutil; shutil.rmtree('$(VENV)', ignore_errors=True)"
