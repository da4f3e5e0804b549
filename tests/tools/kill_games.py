"""Kills the program hundreds of times in games of every mode: each must end as if nothing had happened.

python -m tests.tools.kill_games --kills 300
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.games.loknroll.rules import Mode
from tests.companion.device.kills.killed_games import begin_folder, play_killed
from tests.companion.games.loknroll.play.scripted_table import dealt


def main() -> int:
    """Prints a line for each mode."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300, help="at least, over all modes (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modes", nargs="+", choices=[mode.value for mode in Mode], default=[m.value for m in Mode])
    options = parser.parse_args()
    total = 0
    with TemporaryDirectory() as name:
        folder = Path(name) / "state"
        begin_folder(folder)
        for number, mode in enumerate(map(Mode, options.modes)):
            wanted = -(-(options.kills - total) // (len(options.modes) - number))
            began = time.monotonic()
            source = dealt(mode, options.seed + number)
            undisturbed = play_killed(folder, source, 0, 0)
            killed, games = play_killed(folder, source, options.seed, wanted)
            assert undisturbed == (0, 1)
            total += killed
            seconds = time.monotonic() - began
            print(
                f"{mode.value}: {killed} kills in {games} games of {len(source.steps)} steps, each ended as the "
                f"undisturbed one ({seconds:.0f} s)",
                flush=True,
            )
    print(f"{total} kills, no step shown was lost, every game ended the same.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
