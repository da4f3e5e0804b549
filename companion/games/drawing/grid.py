"""Where cards lie on a sheet of paper. All lengths in mm from the sheet's top left corner."""

from typing import NamedTuple

from companion.games.drawing.paper import MARGIN_MM, Paper


class CardTooLarge(ValueError):
    """Not even one card fits on a sheet."""


class Grid(NamedTuple):
    """Cards side by side in the middle of a sheet."""

    paper: Paper
    card_mm: tuple[float, float]
    columns: int
    rows: int

    @property
    def cards(self) -> int:
        """How many cards a sheet has."""
        return self.columns * self.rows

    def front(self, index: int) -> tuple[float, float]:
        """The top left corner of a card on the front, counted row by row."""
        row, column = divmod(index, self.columns)
        return self._left + column * self.card_mm[0], self._top + row * self.card_mm[1]

    def back(self, index: int) -> tuple[float, float]:
        """The top left corner of the same card's back when the sheet is turned over its long edge."""
        x, y = self.front(index)
        return self.paper.width - x - self.card_mm[0], y

    @property
    def _left(self) -> float:
        return (self.paper.width - self.columns * self.card_mm[0]) / 2

    @property
    def _top(self) -> float:
        return (self.paper.height - self.rows * self.card_mm[1]) / 2


def grid_on(paper: Paper, card_mm: tuple[float, float]) -> Grid:
    """As many cards as fit; raises CardTooLarge where not even one does."""
    columns, rows = (
        int((side - 2 * MARGIN_MM) // card) for side, card in zip((paper.width, paper.height), card_mm, strict=True)
    )
    if columns < 1 or rows < 1:
        size = " x ".join(f"{side:g}" for side in card_mm)
        raise CardTooLarge(f"A card of {size} mm does not fit on {paper.name} paper.")
    return Grid(paper, card_mm, columns, rows)
