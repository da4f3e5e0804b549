"""The whole PDF: cards with their backs, the page of cut-outs, the rules."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.loknroll.artwork import back_svg, face_svg
from companion.games.loknroll.printing.canvas import Canvas
from companion.games.loknroll.printing.cut_outs import cut_out_page
from companion.games.loknroll.printing.paper import Paper, grid_on
from companion.games.loknroll.printing.rule_cards import rule_pages
from companion.games.loknroll.printing.sheets import card_sheet
from companion.games.loknroll.rules import Edition
from vision.cards import Deck


def print_deck(
    deck: Deck, edition: Edition, paper: Paper, progress: Callable[[int, int], None] = lambda *_: None
) -> bytes:
    """A PDF to be printed on both sides and turned over the long edge.

    ``progress`` is told how many of all pages are drawn. Raises CardTooLarge where a card does not fit on the paper and
    DeckError where a face cannot be drawn.
    """
    grid = grid_on(paper, deck.card_mm)
    fronts = {face.id: face_svg(face) for face in deck.faces}
    canvas = Canvas(paper, deck.name)
    cards = [fronts[face.id] for face in deck.cards()]
    sheets = [cards[start : start + grid.cards] for start in range(0, len(cards), grid.cards)]
    pages = 2 * len(sheets) + 4
    for number, sheet in enumerate(sheets):
        card_sheet(canvas, grid, sheet, back_svg(deck.card_mm))
        progress(2 * number + 2, pages)
    cut_out_page(canvas, edition)
    canvas.add_page()  # the back of the cut-outs stays empty
    rule_pages(canvas, edition, deck)
    progress(pages, pages)
    return canvas.finished()
