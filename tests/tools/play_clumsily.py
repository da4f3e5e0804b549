"""Games in which a clumsy person makes each mistake once, and what it costs until the game goes on rightly.

Prints for each mistake how often it was made, and the most seconds and presses. Fails where a mistake ends in a wrong
record, leaves the person without a word of what to do, or needs more than three presses. Run it as
``python -m tests.tools.play_clumsily``.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from typing import Final

from companion.games.loknroll.rules import Mode
from tests.companion.games.loknroll.play.mistakes.clumsy_person import MISTAKES, ClumsyPerson, Cost, Mistake, Stuck

MOST_PRESSES: Final = 3


def main() -> int:
    """Plays, and prints a line for each mistake."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="of each mode")
    options = parser.parse_args()
    costs, failures = defaultdict[str, list[Cost]](list), 0
    for seed in range(options.games):
        for mode in Mode:
            for mistakes in [MISTAKES, *({name: mistake} for name, mistake in MISTAKES.items() if mistake.ends)]:
                try:
                    for cost in played(mode, seed, mistakes):
                        costs[cost.mistake].append(cost)
                except Stuck as stuck:
                    failures += 1
                    print(f"{mode.value} {seed}: {stuck}")
    print(f"{'mistake':<60} times   most seconds   most presses")
    for name in MISTAKES:
        made = costs[name]
        seconds, presses = max((cost.seconds for cost in made), default=0.0), max((c.presses for c in made), default=0)
        print(f"{name:<60} {len(made):>5} {seconds:>14.1f} {presses:>14}")
        failures += not made or presses > MOST_PRESSES
    return 1 if failures else 0


def played(mode: Mode, seed: int, mistakes: dict[str, Mistake]) -> list[Cost]:
    """What the mistakes of a game cost; one that ends it is made only where it is the only one. Raises Stuck."""
    if len(mistakes) > 1:
        mistakes = {name: mistake for name, mistake in mistakes.items() if not mistake.ends}
    return list(ClumsyPerson(mode, seed).play(mistakes))


if __name__ == "__main__":
    sys.exit(main())
