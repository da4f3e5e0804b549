"""The whole game as a PDF: a cover that says what to do, pieces of rail, vehicles, and cards with their backs."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.drawing.canvas import Canvas
from companion.games.drawing.grid import grid_on
from companion.games.drawing.paper import Paper
from companion.games.drawing.sheets import card_sheet
from companion.games.drawing.strips import Put, TooLarge, in_rows, strip_sheet
from companion.games.locomotion.artwork.vehicles import COLOURS
from companion.games.locomotion.printing.cards import CARD_MM, game_cards
from companion.games.locomotion.printing.cover import cover_page
from companion.games.locomotion.printing.outline import is_of_one_part
from companion.games.locomotion.printing.pieces import piece_svg
from companion.games.locomotion.printing.vehicles import WAGONS, locomotive_net, wagon_net
from companion.games.locomotion.rules import Piece
from companion.texts.language import Texts


class CannotBeCut(ValueError):
    """A piece cannot be cut out of a sheet of paper: ``reason`` is the name of a sentence about it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def print_game(
    piece: Piece,
    pieces: int,
    paper: Paper,
    language: str,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> bytes:
    """A PDF to be printed on both sides and turned over the long edge; so many pieces, and of the rest all (LMAT1).

    ``progress`` is told how many of all pages are drawn. Raises CannotBeCut.
    """
    rails = _rails(piece, pieces, paper)
    nets = [locomotive_net(colour) for colour in COLOURS] + [wagon_net(colour) for colour in COLOURS] * WAGONS
    sheets = rails + in_rows(paper, nets)
    say = Texts(language, "companion.games.locomotion.printing")
    canvas = Canvas(paper, f"Locomotion {piece.name}")
    grid = grid_on(paper, CARD_MM)
    cards = game_cards(canvas, say)
    decks = [cards[start : start + grid.cards] for start in range(0, len(cards), grid.cards)]
    pages = 2 * (1 + len(sheets) + len(decks))
    cover_page(canvas, piece, pieces, len(cards), say)
    canvas.add_page()  # its back stays empty
    progress(2, pages)
    for number, rows in enumerate(sheets, 2):
        strip_sheet(canvas, rows)
        progress(2 * number, pages)
    for number, deck in enumerate(decks, 2 + len(sheets)):
        card_sheet(canvas, grid, deck)
        progress(2 * number, pages)
    return canvas.finished()


def _rails(piece: Piece, pieces: int, paper: Paper) -> list[list[list[Put]]]:
    """The sheets with the pieces, upright or lying: as few as can be."""
    if not is_of_one_part(piece):
        raise CannotBeCut("print.several-parts")
    ways = []
    for quarter_turns in (0, 1):
        try:
            ways.append(in_rows(paper, [piece_svg(piece, quarter_turns)] * pieces))
        except TooLarge:
            continue
    if not ways:
        raise CannotBeCut("print.too-large")
    return min(ways, key=len)
