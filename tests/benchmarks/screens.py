"""How fast screens are drawn, in time of the processor: run it as ``python -m tests.benchmarks.screens``."""

import time

from companion.device.gallery import all_screens
from companion.games.registry import games
from companion.screen import draw
from companion.texts.language import LANGUAGES

REPEATS = 20


def main() -> None:
    screens = [screen for language in LANGUAGES for _, screen in all_screens(language, games())]
    for what, repeats in (("for the first time", 1), ("again", REPEATS)):
        spent = []
        for screen in screens:
            begun = time.process_time()
            for _ in range(repeats):
                draw(screen)
            spent.append(1000 * (time.process_time() - begun) / repeats)
        spent.sort()
        median, slowest = spent[len(spent) // 2], spent[-1]
        print(f"{len(screens)} screens {what}: median {median:.2f} ms, slowest {slowest:.2f} ms")


if __name__ == "__main__":
    main()
