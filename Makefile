# make demo   compile a sample with passes, show what they did, run it if there is a GPU
# make test   the whole test suite (no GPU needed)
# make lint   formatting, lint and types
# make clean  remove the virtual environment and build leavings

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint clean
.DELETE_ON_ERROR:

# What decides an install: the project file and the native runtime.
SOURCES := pyproject.toml CMakeLists.txt $(shell find runtime/native -type f)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: $(BIN)/python $(SOURCES)
	$(INSTALL) --editable '.[cuda,host,run,check]'
	touch $@

$(VENV)/.test: $(VENV)/.base
	$(INSTALL) --editable '.[cuda,host,run,check,test]'
	touch $@

demo: $(VENV)/.base
	$(BIN)/python examples/demo.py

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python

clean:
	rm -rf $(VENV) build
