"""Draws the pictures of docs/locomotion.md: python -m tests.companion.games.locomotion.draw_page docs/locomotion."""

import json
import re
import sys
from pathlib import Path

from companion.games.drawing.svg import contents, document, placed
from companion.games.locomotion.artwork.picture import network_svg
from companion.games.locomotion.networks import Puzzle, read_network
from companion.games.locomotion.rules import PlacedPiece, lay, load_piece, piece_names

PAGE = Path(__file__).parents[4] / "docs" / "locomotion.md"


def told() -> list[str]:
    """The page's data: a piece, and a puzzle."""
    return re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def pieces() -> str:
    drawn, left = [], 0.0
    for name in piece_names():
        svg = network_svg(lay(load_piece(name), [PlacedPiece((0, 0), "E")]))
        drawn.append(placed(contents(svg), left, 0))
        left += float(re.search(r'width="([\d.]+)mm"', svg)[1])
    return document(left, float(re.search(r'height="([\d.]+)mm"', svg)[1]), *drawn)


def pinwheel() -> str:
    puzzle = read_network(json.dumps(json.loads(told()[1])).encode(), PAGE.name)
    assert isinstance(puzzle, Puzzle)
    return network_svg(puzzle.network, puzzle.start(), "Pinwheel")


PICTURES = {"pieces.svg": pieces, "pinwheel.svg": pinwheel}


if __name__ == "__main__":
    for file, draw in PICTURES.items():
        (Path(sys.argv[1]) / file).write_text(draw())
