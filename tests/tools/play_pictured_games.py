"""Plays the pictured games of ../shared through the eye and the controller, to the end; `make games`.

The deck is taught from the pictures of its cards first. Prints corrections and presses per game; fails where a turn,
a pile or the score is not as it is told, or where a correction was pressed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.commands.cli import main as companion
from tests.companion.games.loknroll.play.pictured_people import PicturedPeople
from vision.deck_pictures import read_deck_pictures
from vision.picture_files import read_picture
from vision.reading.reader import Reader
from vision.watching.steady_view import Sight, SteadyView

SHARED = Path(__file__).parents[3] / "shared"
GAMES = ("meadow-two", "meadow-betsy")
MOST_LOOKS = 6
"""A single picture is looked at so often at most: as a camera that goes on looking at the same moment."""


def sights(folder: Path, view: SteadyView, frames: list[dict[str, Any]]) -> Iterator[tuple[Sight, tuple[int, int]]]:
    """What the eye sees in each picture once it stands still, and the picture's width and height."""
    for frame in frames:
        picture = read_picture(folder / frame["image"])
        sight = view.look(picture)
        for _ in range(MOST_LOOKS - 1):
            if sight.hand or sight.is_still:
                break
            sight = view.look(picture)
        yield sight, (picture.shape[1], picture.shape[0])


def played(name: str, deck_folder: Path, pictures: int | None = None) -> PicturedPeople:
    """The people of a game after its first pictures, or all of them."""
    folder = SHARED / "frames" / name
    told = json.loads((folder / "game.json").read_text())
    frames = json.loads((folder / "truth.json").read_text())["frames"][:pictures]
    deck, faces, *_ = read_deck_pictures(deck_folder)
    reader = Reader(deck, faces)
    view = SteadyView(reader, reader.emma_finder)
    people = PicturedPeople(told, deck)
    for frame, (sight, size) in zip(frames, sights(folder, view, frames), strict=True):
        people.see(frame, sight, size)
    return people


def taught(folder: Path) -> Path:
    """A deck taught from the pictures of its cards, as people teach it."""
    target = folder / "taught"
    deck = SHARED / "decks/meadow/deck.json"
    if companion(["teach", str(SHARED / "frames/meadow-teach"), "--deck", str(deck), "--out", str(target)]):
        raise SystemExit("The deck could not be taught from meadow-teach.")
    return target


def tell(name: str, people: PicturedPeople, seconds: float) -> None:
    """The figures of a game."""
    presses = people.pressed_count()
    turns = [entry for entry in people.log if entry["player"] != 1 or people.told["mode"] != "betsy"]
    actions = {action: sum(entry["action"] == action for entry in turns) for action in ("build", "pass", "chaos")}
    print(f"{name}: every turn, pile and the score as told; {len(people.log)} turns, {seconds:.0f} s of reading")
    print(f"  corrections pressed: {presses['correct']}")
    print(f"  ROLL per building turn: {presses['roll'] / max(1, actions['build']):.2f}")
    print(f"  PASS per passing turn: {presses['pass'] / max(1, actions['pass']):.2f}")
    others = {why: count for why, count in presses.items() if why not in {"roll", "pass"}}
    print(f"  other presses: {others}, {sum(others.values()) / len(turns):.2f} per turn")


def main() -> int:
    """Plays the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    options = parser.parse_args()
    if not SHARED.is_dir():
        print("The pictured games in ../shared are not here; nothing was played.")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        deck = taught(Path(folder))
        for name in options.games:
            start = time.perf_counter()
            people = played(name, deck)
            people.check_end()
            tell(name, people, time.perf_counter() - start)
    return 0


if __name__ == "__main__":
    sys.exit(main())
