"""What a card is: face, value, kind, rails and size.

The one room that the eye and the rules share. It lies at the very bottom and imports nothing of ours.
"""

from vision.cards.deck import Deck, DeckError, decode_deck, encode_deck, standard_deck
from vision.cards.emma_figure import EmmaFigure
from vision.cards.face import CARD_MM, LEAST_PX_PER_MM, Edge, Face, Kind, Passage, Port
from vision.cards.pose import Motion, Pose

__all__ = [
    "CARD_MM",
    "LEAST_PX_PER_MM",
    "Deck",
    "DeckError",
    "Edge",
    "EmmaFigure",
    "Face",
    "Kind",
    "Motion",
    "Passage",
    "Port",
    "Pose",
    "decode_deck",
    "encode_deck",
    "standard_deck",
]
