"""A robot plays whole games through pins, pixels and the memory of the OLED screen, in every mode and language.

Prints for each game: turns, seconds and presses per turn, and what had to be done twice because the companion did not
answer. Fails where a card was read wrongly, a game did not end, or the last screen is not what the driver sent.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from companion.language import LANGUAGES
from companion.loknroll import Mode, load_edition
from companion.pictures import drawn_deck
from companion.robot import RobotError
from tests.companion.whole_games import check_cards, check_end, play_whole_game


def main() -> int:
    """Plays the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modes", nargs="*", default=[mode.value for mode in Mode])
    parser.add_argument("--languages", nargs="*", default=list(LANGUAGES))
    parser.add_argument("--drawn", type=int, help="so many cards are left to draw: a short game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", action="store_true", help="the first picture after each change shows a hand")
    options = parser.parse_args()
    pictures, failures = drawn_deck(load_edition("german").deck, 4.0), 0
    for mode in map(Mode, options.modes):
        for language in options.languages:
            began = time.perf_counter()
            with tempfile.TemporaryDirectory() as folder:
                try:
                    played = play_whole_game(
                        Path(folder),
                        pictures,
                        mode,
                        options.seed,
                        language=language,
                        drawn=options.drawn,
                        hand_cards=2 if options.drawn else 5,
                        has_hands=options.hands,
                    )
                    check_cards(played)
                    check_end(played)
                except (RobotError, AssertionError) as error:
                    failures += 1
                    print(f"{mode} {language}: failed: {error}", flush=True)
                    continue
            seconds, turns = time.perf_counter() - began, played.game.state.turn + 1
            presses = {f"{phase} {button}": count for (phase, button), count in played.presses.items()}
            print(
                f"{mode} {language}: {turns} turns, {seconds / turns:.1f} s per turn, {played.virtual.table.pictures}"
                f" pictures, {sum(presses.values()) / turns:.2f} presses per turn {presses},"
                f" done twice: {played.virtual.robot.repeats}",
                flush=True,
            )
            played.virtual.devices.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
