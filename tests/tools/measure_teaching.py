"""How well whole decks are read from photographs alone, without a deck.json: rails, values, kinds, which way up.

Each deck is drawn from its number (``tests.vision.random_decks``); its faces are photographed lying alone by one camera
on one table, as when a deck is taught. Every eighth card is laid upside down.

**Decks 0 to 499 are for building, decks from 1000 on are only for measuring**, as for ``measure_decks``.

Run it as ``python -m tests.tools.measure_teaching --decks 1000-1029``: half a minute for a deck.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Final, NamedTuple

import cv2
import numpy as np

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.reading.measuring.teaching_session import OTHER_CAMERAS_PX, taught_in, tell
from vision.arrays import FloatPicture, Picture
from vision.cards import Face
from vision.teaching.even_faces import turned_round
from vision.teaching.rails.rail_ports import LEAST_FACES
from vision.teaching.untold_deck import Doubt, ReadFace, read_faces

PORT_MM: Final = 1.0
_TURNED: Final = 8


class Result(NamedTuple):
    """How many faces of a deck were photographed, how many of them are right in what, and how many are doubtful."""

    deck: int
    faces: int
    found: int
    ports: int
    groups: int
    numbers: int
    kinds: int
    upright: int
    doubtful: int
    unseen: int
    """Faces with wrong ports or in a wrong group that are not told to be doubtful in that."""


def measured(number: int) -> Result:
    """Reads one deck."""
    pictures = random_deck(number)
    random = Random(f"teaching {number} 0")
    lessons = taught_in(pictures, random, size=random.choice(OTHER_CAMERAS_PX))
    faces = [pictures.deck[face] for face in lessons]
    cut_outs, turned = [], []
    for index, face in enumerate(faces):
        picture = lessons[face.id].picture
        if index % _TURNED == _TURNED - 1:
            picture = turned_round(picture)
        cut_outs.append(picture)
        turned.append(_is_turned(picture, pictures.faces[face.id]))
    if len(faces) < LEAST_FACES:
        return Result(number, len(pictures.deck.faces), len(faces), *[0] * 7, unseen=0)
    read = read_faces(cut_outs, pictures.deck.card_mm)
    has_ports = [_has_ports(one, face) for one, face in zip(read, faces, strict=True)]
    in_group = _in_group(read, faces)
    wrong = [
        (not right_ports and Doubt.RAILS not in one.doubts) or (not right_group and Doubt.VALUE not in one.doubts)
        for one, right_ports, right_group in zip(read, has_ports, in_group, strict=True)
    ]
    return Result(
        number,
        len(pictures.deck.faces),
        len(faces),
        sum(has_ports),
        sum(in_group),
        sum(one.face.value == face.value for one, face in zip(read, faces, strict=True)),
        sum(one.face.kind is face.kind for one, face in zip(read, faces, strict=True)),
        sum(one.is_turned == is_turned for one, is_turned in zip(read, turned, strict=True)),
        sum(bool(one.doubts - {Doubt.NUMBER}) for one in read),
        sum(wrong),
    )


def _has_ports(read: ReadFace, face: Face) -> bool:
    seen = {port.edge: port.offset_mm for port in read.face.ports}
    true = {port.edge: port.offset_mm for port in face.ports}
    return seen.keys() == true.keys() and all(abs(seen[edge] - true[edge]) <= PORT_MM for edge in true)


def _in_group(read: tuple[ReadFace, ...], faces: list[Face]) -> list[bool]:
    """Which faces are in the right group, whatever the groups are called."""
    ways = (
        [order[one.face.value - 1] == face.value for one, face in zip(read, faces, strict=True)]
        for order in permutations((1, 2, 3, 4))
    )
    return max(ways, key=sum)


def _is_turned(cut_out: Picture, face: Picture) -> bool:
    """Whether a cut-out shows its face upside down."""
    seen, true = _detail(cut_out), _detail(face)
    return float((seen[::-1, ::-1] * true).sum()) > float((seen * true).sum())


def _detail(picture: Picture) -> FloatPicture:
    small = cv2.resize(picture, (63, 88), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(small - cv2.GaussianBlur(small, (0, 0), 8), np.float32)


def lines(results: list[Result]) -> Iterator[str]:
    """A line for each deck, and all together as shares of the faces found."""
    yield "  deck  found  ports groups numbers  kinds upright  doubtful  wrong and not doubtful"
    for one in results:
        yield (
            f"  {one.deck:4} {one.found:3}/{one.faces:2} {one.ports:6} {one.groups:6} {one.numbers:7} {one.kinds:6}"
            f" {one.upright:7} {one.doubtful:9} {one.unseen:7}"
        )
    found = sum(one.found for one in results)
    names = ("ports", "groups", "numbers", "kinds", "upright", "doubtful", "unseen")
    shares = [sum(getattr(one, name) for one in results) / max(1, found) for name in names]
    yield "   all " + "".join(f"  {name} {share:.3f}" for name, share in zip(names, shares, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures how well random decks are read without a deck.json.")
    parser.add_argument("--decks", metavar="A-B", default="12-15", help="their numbers (default: %(default)s)")
    options = parser.parse_args()
    first, _, last = options.decks.partition("-")
    cv2.setNumThreads(1)
    results = []
    for number in range(int(first), int(last or first) + 1):
        results.append(measured(number))
        tell(f"\rdeck {number} read                    \n")
    print(*lines(results), sep="\n")


if __name__ == "__main__":
    main()
