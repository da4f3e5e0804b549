"""The whole PDF: the page of cut-outs, then cards with their backs, and the rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.games.drawing.canvas import Canvas
from companion.games.drawing.grid import Grid, grid_on
from companion.games.drawing.paper import Paper
from companion.games.drawing.sheets import Card, card_sheet
from companion.games.loknroll.artwork.back import GROUND, back_svg
from companion.games.loknroll.artwork.card import face_svg
from companion.games.loknroll.printing.cut_outs import cut_out_page
from companion.games.loknroll.printing.rule_cards import rule_cards
from companion.games.loknroll.rules import Edition
from companion.texts.language import Texts
from vision.cards import CARD_MM, Deck


def print_deck(
    deck: Deck,
    edition: Edition,
    paper: Paper,
    language: str,
    progress: Callable[[int, int], None] = lambda *_: None,
    *,
    address: str = "",
) -> bytes:
    """A PDF to be printed on both sides and turned over the long edge; the rules are in this language.

    With the ``address`` of the companion's page a side of the rules leads phones there.

    ``progress`` is told how many of all pages are drawn. Raises CardTooLarge where a card does not fit on the paper and
    DeckError where a face cannot be drawn.
    """
    # What cannot be printed is refused before the canvas opens its files of letters.
    fronts, grid = {face.id: face_svg(face) for face in deck.faces}, grid_on(paper, deck.card_mm)
    say = Texts(language, "companion.games.loknroll.printing")
    canvas = Canvas(paper, deck.name)
    cut_out_page(canvas, edition, say)
    canvas.add_page()  # the back of the cut-outs stays empty
    back = partial(canvas.draw, back_svg(deck.card_mm))
    cards = [Card(partial(canvas.draw, fronts[face.id]), back, bleed=GROUND) for face in deck.cards()]
    rules = rule_cards(canvas, edition, deck, say, address)
    if deck.card_mm == CARD_MM:
        sheets = _sheets(grid, cards + rules)
    else:
        sheets = _sheets(grid, cards) + _sheets(grid_on(paper, CARD_MM), rules)
    pages = 2 * len(sheets) + 2
    for number, (on, these) in enumerate(sheets):
        card_sheet(canvas, on, these)
        progress(2 * number + 4, pages)
    return canvas.finished()


def _sheets(grid: Grid, cards: list[Card]) -> list[tuple[Grid, list[Card]]]:
    return [(grid, cards[start : start + grid.cards]) for start in range(0, len(cards), grid.cards)]
