# Two commands for a fresh machine: `make play` and `make test`. Both install what they need into .venv.
PYTHON ?= python3
BIN := .venv/bin

# Exactly what the locks name, and no code of others runs meanwhile: wheels only. Unpacked on the disk, as a Raspberry
# Pi's /tmp may be small
PIP = mkdir -p .venv/tmp && TMPDIR="$(CURDIR)/.venv/tmp" $(BIN)/pip --disable-pip-version-check
LOCKED = install -q --require-hashes --only-binary :all: -r
OURSELVES = install -q --no-index --no-deps --no-build-isolation -e .

# OpenCV's wheel needs two libraries that a Debian without a desktop does not have
define LIBRARIES_OF_CV2
$(BIN)/python -c 'import cv2' 2>/dev/null \
	|| { echo "Installing libgl1 and libglib2.0-0 from the system's packages"; \
	     if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy libgl1 libglib2.0-0; \
	     else sudo apt-get update -q && sudo apt-get install -qy libgl1 libglib2.0-0; fi; }
endef

# The tests of the page at the virtual table drive a real browser
define CHROMIUM
command -v chromium >/dev/null \
	|| { echo "Installing chromium from the system's packages"; \
	     if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy --no-install-recommends chromium; \
	     else sudo apt-get update -q && sudo apt-get install -qy --no-install-recommends chromium; fi; }
endef

# A Python for which there is a current OpenCV (below 3.12 it is held back), if this machine has one besides its own
NEWEST = $(shell for python in python3.13 $(HOME)/.pyenv/versions/3.13.*/bin/python3.13; do \
	$$python -c 'import ensurepip, venv' 2>/dev/null && { echo $$python; break; }; done)

.PHONY: play test check tests tests-newest tests-further tests-long benchmark clean

play: .venv/installed
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BIN)/companion web; else exec $(BIN)/companion table; fi

# What is downloaded for the newest Python comes while the code is checked
test: .venv/installed-test
	@$(MAKE) --no-print-directory --jobs=2 --output-sync check newest
	@$(MAKE) --no-print-directory tests tests-newest

check: .venv/installed-test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# One worker more than there are processors: browsers and programs are waited for
tests: .venv/installed-test
	$(BIN)/pytest -n $$(($$(nproc) + 1)) --dist worksteal -m "not further"

.PHONY: newest
newest: .venv/installed-test
	@if $(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 12))' && [ -n "$(NEWEST)" ]; then \
		$(MAKE) --no-print-directory .venv/newest/installed PYTHON=$(NEWEST) BIN=.venv/newest/bin; fi

# The eye on tables, once more with numpy 2 and the newest OpenCV
tests-newest: newest
	@if $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then echo "Has been tried just now"; \
	elif [ -z "$(NEWEST)" ]; then echo "There is no Python 3.13: the eye is not tried with a current OpenCV"; \
	else .venv/newest/bin/pytest -n auto \
		--dist worksteal tests/vision/reading/test_reading_rendered.py tests/vision/reading/test_reader.py; fi

# More of the scenes that were read wrongly once, and what takes long: about a quarter of an hour on two cores
tests-further: .venv/installed-test
	$(BIN)/pytest -n $$(($$(nproc) + 1)) --dist worksteal -m further

# Thousands of games in every mode and edition: about half an hour on two cores
tests-long: .venv/installed-test
	HYPOTHESIS_PROFILE=long $(BIN)/pytest -n auto -m long

benchmark: .venv/installed-test
	$(BIN)/python -m tests.benchmarks.rules
	$(BIN)/python -m tests.benchmarks.rendering
	$(BIN)/python -m tests.benchmarks.reading
	$(BIN)/python -m tests.benchmarks.screens
	$(BIN)/python -m tests.benchmarks.appliance
	$(BIN)/python -m tests.benchmarks.page
	$(BIN)/python -m tests.benchmarks.phones
	$(BIN)/python -m tests.benchmarks.growth

# Damaged, random and extreme pictures by the thousand through `companion see`: about half an hour
.PHONY: fuzz
fuzz: .venv/installed-test
	$(BIN)/python -m tests.tools.fuzz_reading --files 2000

# Whatever a file or a page may hold, read a million times (INPUTS=N) by each reader, and looked for where it reaches new
# code: more than an hour on two cores. With DISTIL=1 what is worth keeping becomes the corpus in tests/fuzzing
.PHONY: fuzz-readers
fuzz-readers: .venv/installed-test
	$(PIP) $(LOCKED) systemd/locks/fuzz.txt
	$(BIN)/python -m tests.fuzzing --inputs $(or $(INPUTS),1000000) $(if $(DISTIL),--distil)

# How well decks and tables are read that the eye has never seen, and which bars that clears: hours. What has been read
# is kept in build/accuracy.jsonl and not read again, until the eye is another one: so it can be stopped, and goes on
.PHONY: accuracy
accuracy: .venv/installed-test
	mkdir -p build
	$(BIN)/python -m tests.tools.measure_decks --decks 1000-1059 --tables 20 --stream --processes 2 \
		--kept build/accuracy.jsonl --diagram build/reliability.png

# The same of our own deck and a second one, by a thousand tables each: about half an hour on two cores
.PHONY: accuracy-own
accuracy-own: .venv/installed-test
	$(BIN)/python -m tests.tools.measure_reading --deck own --tables 1000
	$(BIN)/python -m tests.tools.measure_reading --deck second --tables 1000

# What parts true from false in the reader, on decks for building: how far apart both lie, printed and drawn. It goes on
# where it was stopped
.PHONY: thresholds
thresholds: .venv/installed-test
	mkdir -p build
	$(BIN)/python -m tests.tools.measure_thresholds --decks 12-35 --tables 4 --processes 2 \
		--kept build/thresholds.jsonl --diagram build/thresholds.png

# The network that sees where cards lie, trained anew: an hour for its pictures, kept in build/places, and then as
# long as MINUTES says. It takes PyTorch and onnx, which nothing else here needs and which are not installed by this
.PHONY: train-places
train-places: .venv/installed-test
	mkdir -p build
	@$(BIN)/python -c 'import onnx, torch' 2>/dev/null || { echo "PyTorch and onnx have to be installed first"; exit 1; }
	$(BIN)/python -m tests.vision.outlines.place_training.train --drawn build/places --kept build/places.pt \
		--minutes $(or $(MINUTES),90) --out vision/outlines/places.onnx

# The networks that see the corners of a card, tell its face, tell faces apart, and see Emma, likewise; their pictures,
# kept in build/cards, take two hours, and then 9 GB of memory.
TRAINED_INTO = $(or $($*-into),vision/faces/matching)
corners-into := vision/outlines
emma-into := vision/reading/emma
.PHONY: train-corners train-faces train-differences train-emma
train-corners train-faces train-differences train-emma: train-%: .venv/installed-test
	mkdir -p build
	@$(BIN)/python -c 'import onnx, torch' 2>/dev/null || { echo "PyTorch and onnx have to be installed first"; exit 1; }
	$(BIN)/python -m tests.vision.outlines.card_training.$* --drawn build/cards --kept build/$*.pt \
		$(if $(MINUTES),--minutes $(MINUTES)) --out $(TRAINED_INTO)/$*.onnx

# The networks that see where rails leave a face, likewise; their photographs, kept in build/lone-cards, take more than an hour
.PHONY: train-rails
train-rails: .venv/installed-test
	mkdir -p build
	@$(BIN)/python -c 'import onnx, torch' 2>/dev/null || { echo "PyTorch and onnx have to be installed first"; exit 1; }
	$(BIN)/python -m tests.vision.teaching.rail_training.train --drawn build/lone-cards --kept build/rails.pt \
		$(if $(MINUTES),--minutes $(MINUTES)) --out vision/teaching/rails/rails.onnx

# The pictured games of ../shared through the eye and the controller, to the end; then 50 games of a robot in every mode
# and language through pins, pixels and the screen's memory, with hands and disturbances: about an hour and a half.
# What has been played is kept in build/games.jsonl, and not played again
.PHONY: games
games: .venv/installed-test
	$(BIN)/python -m tests.tools.play_pictured_games
	$(BIN)/python -m tests.tools.play_at_virtual_table --games 50 --kept build/games.jsonl --evidence build/games

# A clumsy person makes each mistake in ten games of each mode: what it costs until the game goes on rightly
.PHONY: mistakes
mistakes: .venv/installed-test
	$(BIN)/python -m tests.tools.play_clumsily

# The program killed 300 times and more in games of every mode, at random moments and in the middle of writing: minutes
.PHONY: kills
kills: .venv/installed-test
	$(BIN)/python -m tests.tools.kill_games --kills 300

# On a Raspberry Pi: the companion as a service that starts with the machine. WHEELS=FOLDER installs without a network,
# HOME_NETWORK=yes or no answers whether phones at home reach its page
.PHONY: install uninstall
install:
	@if [ "$$(id -u)" = 0 ]; then WHEELS="$(WHEELS)" HOME_NETWORK="$(HOME_NETWORK)" systemd/install.sh; \
	else sudo WHEELS="$(WHEELS)" HOME_NETWORK="$(HOME_NETWORK)" systemd/install.sh; fi

uninstall:
	@if [ "$$(id -u)" = 0 ]; then systemd/uninstall.sh; else sudo systemd/uninstall.sh; fi

# A wheel that installs on a Raspberry Pi without this checkout: docs/appliance.md says how
.PHONY: dist
dist: .venv/installed
	rm -rf dist build
	$(PIP) wheel -q --no-index --no-deps --no-build-isolation -w dist .
	@rm -rf build; ls -l dist

# Installs the companion on an emulated Raspberry Pi, plays, and cuts the power 50 times (CUTS=N): more than an hour
.PHONY: test-appliance
test-appliance: .venv/installed-test
	$(BIN)/pytest -s -v -p no:cacheprovider tests/appliance/on_the_machine.py

# The same machine, with 300 kills (KILLS=N), damaged settings, a failing disk and 100 pulled cables (PULLS=N): two hours
.PHONY: test-appliance-faults
test-appliance-faults: .venv/installed-test
	$(BIN)/pytest -s -v -p no:cacheprovider tests/appliance/faults_on_the_machine.py

# Game after game with a camera, up to as many turns as eight hours hold: memory, threads and files have to stay as they
# are. It stops after 10 minutes and judges what was played till then (MINUTES=N)
.PHONY: soak
soak: .venv/installed-test
	MALLOC_ARENA_MAX=2 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.appliance.soak --minutes $(or $(MINUTES),10)

# Ten whole games by hand in Chromium, with mouse and fingers, then every mode by itself, again and again for an hour
# (MINUTES=N): no correction, and memory has to stay as it is
.PHONY: browser-games
browser-games: .venv/installed-test
	$(BIN)/python -m tests.tools.play_in_browser --games 10 --minutes $(or $(MINUTES),60)

# Pictures of the page in its main states, to be looked at
.PHONY: screenshots
screenshots: .venv/installed-test
	$(BIN)/python -m tests.tools.photograph_page screenshots

# Renews the pictures of the owner's guide; tests say when that is due
.PHONY: pictures
pictures: .venv/installed-test
	$(BIN)/python -m tests.tools.draw_guide docs/pictures

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist screenshots *.egg-info

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "Installing python3-venv from the system's packages"; \
		     if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy python3-venv; \
		     else sudo apt-get update -q && sudo apt-get install -qy python3-venv; fi; }
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml systemd/locks/play.txt | .venv/bin/pip
	$(PIP) $(LOCKED) systemd/locks/play.txt
	$(PIP) $(OURSELVES)
	@$(LIBRARIES_OF_CV2)
	@touch $@

.venv/installed-test: pyproject.toml systemd/locks/test.txt | .venv/bin/pip
	$(PIP) $(LOCKED) systemd/locks/test.txt
	$(PIP) $(OURSELVES)
	@$(LIBRARIES_OF_CV2)
	@$(CHROMIUM)
	@touch $@ .venv/installed

.venv/newest/installed: pyproject.toml systemd/locks/test.txt
	$(PYTHON) -m venv .venv/newest
	$(PIP) $(LOCKED) systemd/locks/test.txt
	$(PIP) $(OURSELVES)
	@touch $@

# Renews the locks: the newest versions that pyproject.toml allows, for every Python from 3.11 on, with the checksums of
# their wheels for every machine. `make test` then says whether the project bears them
.PHONY: lock
COMPILE = $(BIN)/uv pip compile -q --no-config --upgrade --universal --python-version 3.11 --generate-hashes \
	--only-binary :all: --no-annotate --custom-compile-command 'make lock' --group build pyproject.toml
lock: | .venv/bin/pip
	$(PIP) install -q --only-binary :all: 'uv>=0.9,<1'
	$(COMPILE) --extra pi -o systemd/locks/appliance.txt
	$(COMPILE) --extra web -o systemd/locks/play.txt
	$(COMPILE) --extra test -o systemd/locks/test.txt
	$(COMPILE) --extra fuzz -o systemd/locks/fuzz.txt
