"""Emma: where she stands in a picture, and what she hides of a card."""

from vision.reading.emma.emma_finder import EmmaFinder, EmmaSighting

__all__ = ["EmmaFinder", "EmmaSighting"]
