"""Where things have their places on a table, in mm: x to the right and y down from its upper left corner."""

from typing import Final

from vision.cards.area import Area

TABLE_MM: Final = (800.0, 600.0)
"""The part of the table that is played on and that the camera sees whole."""
MARGIN_MM: Final = 40.0
SHOW_SPOT_MM: Final = (TABLE_MM[0] - 60.0, TABLE_MM[1] - 70.0)
"""Where the centre of a shown card lies."""
PILE_MM: Final = (748.0, 95.0)
"""Where the centre of the draw pile lies."""
AREA: Final = Area(MARGIN_MM, MARGIN_MM, TABLE_MM[0] - 2 * MARGIN_MM - 100, TABLE_MM[1] - 2 * MARGIN_MM)
"""Where cards are laid: the right border is kept for the show spot and the draw pile."""
IMPRECISION: Final = 1.1
"""How far hands are off when they lay a card: the standard deviation in mm, and in degrees."""
