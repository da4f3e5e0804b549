# Two commands for a fresh machine: `make play` and `make test`. Both install what they need into .venv.
PYTHON ?= python3
BIN := .venv/bin

# OpenCV's wheel needs two libraries that a Debian without a desktop does not have
define LIBRARIES_OF_CV2
$(BIN)/python -c 'import cv2' 2>/dev/null \
	|| { echo "Installing libgl1 and libglib2.0-0 from the system's packages"; \
	     if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy libgl1 libglib2.0-0; \
	     else sudo apt-get update -q && sudo apt-get install -qy libgl1 libglib2.0-0; fi; }
endef

.PHONY: play test check tests tests-long benchmark clean

play: .venv/installed
	@$(BIN)/companion table

test: check tests

check: .venv/installed-test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

tests: .venv/installed-test
	$(BIN)/pytest -n auto

# Thousands of games in every mode and edition: about half an hour on two cores
tests-long: .venv/installed-test
	HYPOTHESIS_PROFILE=long $(BIN)/pytest -n auto -m long

benchmark: .venv/installed-test
	$(BIN)/python -P tests/benchmark_rules.py
	$(BIN)/python -P tests/benchmark_rendering.py
	$(BIN)/python -m tests.benchmark_reading
	$(BIN)/python -P tests/benchmark_screens.py

# Damaged, random and extreme pictures by the thousand through `companion see`: about half an hour
.PHONY: fuzz
fuzz: .venv/installed-test
	$(BIN)/python -m tests.fuzz_reading --files 2000

# How well tables are read that the eye has never seen, of two decks: about half an hour on two cores
.PHONY: accuracy
accuracy: .venv/installed-test
	$(BIN)/python -P tests/measure_reading.py --deck own --tables 1000
	$(BIN)/python -P tests/measure_reading.py --deck second --tables 1000

# The pictured games of ../shared through the eye and the controller, to the end, then a robot's short games in every
# mode and language through pins, pixels and the screen's memory: about a quarter of an hour
.PHONY: games
games: .venv/installed-test
	$(BIN)/python -m tests.play_pictured_games
	$(BIN)/python -m tests.play_at_virtual_table --drawn 2

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "Installing python3-venv from the system's packages"; \
		     if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy python3-venv; \
		     else sudo apt-get update -q && sudo apt-get install -qy python3-venv; fi; }
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install -q --disable-pip-version-check -e .
	@$(LIBRARIES_OF_CV2)
	@touch $@

.venv/installed-test: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install -q --disable-pip-version-check -e '.[test]'
	@$(LIBRARIES_OF_CV2)
	@touch $@ .venv/installed
