"""What stands for Emma in a deck: people own different ones."""

from __future__ import annotations

import msgspec


class EmmaFigure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture of her from above, and its width and height in mm; all around her it is black."""

    image: str
    size_mm: tuple[float, float]
