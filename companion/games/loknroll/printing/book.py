"""The whole PDF: the page of cut-outs, then cards with their backs, and the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from companion.games.loknroll.artwork import back_svg, face_svg
from companion.games.loknroll.printing.canvas import Canvas
from companion.games.loknroll.printing.cut_outs import cut_out_page
from companion.games.loknroll.printing.paper import Grid, Paper, grid_on
from companion.games.loknroll.printing.rule_cards import rule_cards
from companion.games.loknroll.printing.sheets import Card, card_sheet
from companion.games.loknroll.rules import Edition
from companion.texts.language import Texts
from vision.cards import CARD_MM, Deck


def print_deck(
    deck: Deck, edition: Edition, paper: Paper, language: str, progress: Callable[[int, int], None] = lambda *_: None
) -> bytes:
    """A PDF to be printed on both sides and turned over the long edge; the rules are in this language.

    ``progress`` is told how many of all pages are drawn. Raises CardTooLarge where a card does not fit on the paper and
    DeckError where a face cannot be drawn.
    """
    say = Texts(language, "companion.games.loknroll.printing")
    canvas = Canvas(paper, deck.name)
    cut_out_page(canvas, edition, say)
    canvas.add_page()  # the back of the cut-outs stays empty
    sheets = list(_sheets(canvas, deck, rule_cards(canvas, edition, deck, say)))
    pages = 2 * len(sheets) + 2
    for number, (grid, cards) in enumerate(sheets):
        card_sheet(canvas, grid, cards)
        progress(2 * number + 4, pages)
    return canvas.finished()


def _sheets(canvas: Canvas, deck: Deck, rules: list[Card]) -> Iterator[tuple[Grid, list[Card]]]:
    """The cards of the deck, and on what they leave of their last sheet the rules, if those are as large."""
    back = partial(canvas.draw, back_svg(deck.card_mm))
    fronts = {face.id: partial(canvas.draw, face_svg(face)) for face in deck.faces}
    cards = [Card(fronts[face.id], back, bleeds=True) for face in deck.cards()]
    together = [(deck.card_mm, cards + rules)] if deck.card_mm == CARD_MM else [(deck.card_mm, cards), (CARD_MM, rules)]
    for size, these in together:
        grid = grid_on(canvas.paper, size)
        for start in range(0, len(these), grid.cards):
            yield grid, these[start : start + grid.cards]
