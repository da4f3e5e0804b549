"""What has been taught of a deck so far: photographs of its cards, and what people have said of each.

All of it is on the disk before it counts: a lesson that was broken off goes on. How often each card occurs is asked at
the end, and stands in the deck alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from companion.record.whole_file import put_aside, read_whole, write_whole
from vision.cards import CARD_MM, Deck, DeckError, Face, Kind, Port
from vision.cards.deck import MOST_CARDS, checked_deck, checked_emma
from vision.cards.emma_figure import EmmaFigure

if TYPE_CHECKING:
    from vision.arrays import Picture
    from vision.deck_pictures import EmmaPicture
    from vision.teaching.lone_card import LoneCard
    from vision.teaching.told_faces import ToldFace

_LIST: Final = "cards.json"
_EMMA: Final = "emma.json"
_SMALLEST_PX: Final = 20
"""Of a card in a photograph."""


class CardFacts(msgspec.Struct, frozen=True):
    """What people have said of a card: its value, its kind, and where the rails leave its upright face."""

    value: int
    kind: Kind
    ports: tuple[Port, ...] = ()
    is_turned: bool = False
    """Whether it lies upside down in its photograph."""
    is_placed: bool = False
    """Whether people have said to the millimetre where the rails leave, and not only by which edges."""


class Photographed(NamedTuple):
    """A photograph as a JPEG, where the card lies in it, and the card cut out of it, the way up it lies."""

    jpeg: bytes
    card: LoneCard
    cut_out: Picture


class _Kept(msgspec.Struct, frozen=True):
    """A card as it stands in the list: its number names its photograph."""

    number: int
    corners_px: tuple[tuple[float, float], ...]
    score: float
    facts: CardFacts


class _KeptEmma(msgspec.Struct, frozen=True):
    """Emma as she stands in a file of her own, with her picture as a PNG."""

    png: bytes
    size_mm: tuple[float, float]


class TaughtCard(NamedTuple):
    """A card of the lesson. ``cut_out`` is upright."""

    number: int
    card: LoneCard
    facts: CardFacts
    cut_out: Picture

    def told(self) -> ToldFace:
        """What it tells of cards that come later."""
        from vision.teaching.told_faces import ToldFace

        return ToldFace(self.cut_out, self.facts.ports, self.facts.value, self.facts.kind)


class Lesson:
    """The cards of a lesson in the order in which they were shown. One thread changes it, any may look at ``cards``."""

    def __init__(self, folder: Path, card_mm: tuple[float, float] = CARD_MM) -> None:
        """Goes on with what is in the folder, which need not be there; what of it cannot be read is left out."""
        self.folder, self.card_mm = folder, card_mm
        self.cards: tuple[TaughtCard, ...] = tuple(self._read())
        self.emma: EmmaPicture | None = self._read_emma()
        """What stands for Emma, if that has been taught."""

    def add(self, shown: Photographed, facts: CardFacts) -> None:
        """One more card; raises OSError."""
        if len(self.cards) >= MOST_CARDS:
            raise OSError(f"a deck has {MOST_CARDS} cards at most")
        number = 1 + max((card.number for card in self.cards), default=0)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.photograph(number), shown.jpeg)
        cut_out = _upright(shown.cut_out, is_turned=facts.is_turned)
        self._keep((*self.cards, TaughtCard(number, shown.card, facts, cut_out)))

    def change(self, index: int, facts: CardFacts) -> None:
        """Says something else of a card; raises OSError."""
        card = self.cards[index]
        cut_out = _upright(card.cut_out, is_turned=facts.is_turned != card.facts.is_turned)
        changed = card._replace(facts=facts, cut_out=cut_out)
        self._keep((*self.cards[:index], changed, *self.cards[index + 1 :]))

    def remove(self, index: int) -> None:
        """Forgets a card; raises OSError."""
        gone = self.cards[index]
        self._keep((*self.cards[:index], *self.cards[index + 1 :]))
        with contextlib.suppress(OSError):
            self.photograph(gone.number).unlink()

    def clear(self) -> None:
        """Forgets all cards; raises OSError."""
        gone = self.cards
        self._keep(())
        self.forget_emma()
        for card in gone:
            with contextlib.suppress(OSError):
                self.photograph(card.number).unlink()

    def keep_emma(self, emma: EmmaPicture) -> None:
        """She is what is seen in this picture; raises OSError."""
        from vision.picture_files import png_of

        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / _EMMA, msgspec.json.encode(_KeptEmma(png_of(emma.picture), emma.size_mm)))
        self.emma = emma

    def forget_emma(self) -> None:
        """No Emma has been taught; raises OSError."""
        (self.folder / _EMMA).unlink(missing_ok=True)
        self.emma = None

    def photograph(self, number: int) -> Path:
        """The file of a card's photograph."""
        return self.folder / f"{number:03}.jpg"

    def _keep(self, cards: tuple[TaughtCard, ...]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / _LIST, msgspec.json.encode([_kept(card) for card in cards]))
        self.cards = cards

    def _read_emma(self) -> EmmaPicture | None:
        """None also where the file is broken: she is to be shown again."""
        from vision.deck_pictures import checked_emma_picture
        from vision.picture_files import PictureError, picture_in

        file = self.folder / _EMMA
        try:
            kept = msgspec.json.decode(read_whole(file), type=_KeptEmma)
            checked_emma(EmmaFigure(_EMMA, kept.size_mm))
            return checked_emma_picture(picture_in(kept.png, _EMMA), EmmaFigure(_EMMA, kept.size_mm))
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError, PictureError, DeckError):
            with contextlib.suppress(OSError):
                put_aside(file)
            return None

    def _read(self) -> Iterator[TaughtCard]:
        from vision.picture_files import PictureError, read_picture
        from vision.teaching.taught_faces import cut_out

        for kept in self._listed():
            try:
                picture = read_picture(self.photograph(kept.number))
                card = _card(kept, picture.shape[1::-1])
                check_facts(kept.facts, self.card_mm)
            except (PictureError, DeckError, ValueError):
                continue  # lost or broken: it is to be shown again
            cut = cut_out(picture, card, self.card_mm)
            yield TaughtCard(kept.number, card, kept.facts, _upright(cut, is_turned=kept.facts.is_turned))

    def _listed(self) -> Sequence[_Kept]:
        file = self.folder / _LIST
        try:
            return msgspec.json.decode(read_whole(file), type=tuple[_Kept, ...])[:MOST_CARDS]
        except FileNotFoundError:
            return ()
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            with contextlib.suppress(OSError):
                put_aside(file)
            return ()


def _kept(card: TaughtCard) -> _Kept:
    corners = tuple((float(x), float(y)) for x, y in card.card.corners_px)
    return _Kept(card.number, corners, card.card.score, card.facts)


def _card(kept: _Kept, size: Sequence[int]) -> LoneCard:
    """Raises ValueError for corners that are none in a picture of this width and height."""
    import cv2
    import numpy as np

    from vision.teaching.lone_card import LoneCard

    corners = np.array(kept.corners_px, float).reshape(4, 2)
    is_inside = bool((np.abs(corners) <= 2 * max(size)).all())  # not so where a number is none
    if not is_inside or cv2.contourArea(corners.astype(np.float32)) < _SMALLEST_PX**2:
        raise ValueError("no card lies there")
    return LoneCard(corners, kept.score)


def check_facts(facts: CardFacts, card_mm: tuple[float, float]) -> None:
    """Raises DeckError for what no face can be."""
    face = Face("card", facts.value, facts.kind, 1, facts.ports, size_mm=card_mm)
    checked_deck(Deck("lesson", (face,), card_mm))


def _upright(cut_out: Picture, *, is_turned: bool) -> Picture:
    from vision.teaching.even_faces import turned_round

    return turned_round(cut_out) if is_turned else cut_out
