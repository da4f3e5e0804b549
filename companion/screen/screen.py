"""What is to be seen on the small screen, and nothing of how it is drawn."""

from __future__ import annotations

from typing import Final

import msgspec

from vision.cards import CARD_MM, Pose

MOST_DICE: Final = 8
"""So many dice can be told apart on one screen."""


class MapCard(msgspec.Struct, frozen=True):
    """A card on the map: where it lies on the table, its size in mm, and what is written on it, as its value."""

    pose: Pose
    size_mm: tuple[float, float] = CARD_MM
    label: str = ""


class RailwayMap(msgspec.Struct, frozen=True, tag="railway"):
    """A part of the table as seen from above, with x to the right and y downwards in mm.

    ``cards`` lie there, from the rear to the front; ``emma`` and ``marked`` are indices of them: where she stands, and
    what is spoken of, as a card laid wrongly. ``new`` is the card to lay, ``arrow`` the way of its rails in mm, from
    where Emma enters it to where she leaves it. ``turned_deg`` turns the whole map clockwise, for who looks at the
    table from another side.
    """

    cards: tuple[MapCard, ...]
    emma: int | None = None
    marked: tuple[int, ...] = ()
    new: MapCard | None = None
    arrow: tuple[tuple[float, float], ...] = ()
    turned_deg: float = 0.0

    @property
    def blinks(self) -> bool:
        """Whether it looks otherwise in every second frame."""
        return self.new is not None


class MapFigure(msgspec.Struct, frozen=True):
    """Something that stands on a dot: an index of the dots, what is written on it in digits, and whether it leads."""

    dot: int
    label: str
    leads: bool = False


class NetworkMap(msgspec.Struct, frozen=True, tag="network"):
    """A network of dots as seen from above, in cells of its grid, with x to the right and y downwards.

    ``dots`` are their places, near the middles of their cells, which are whole numbers; ``tracks`` are lines along
    which one gets from one to the next. ``figures`` stand on dots, ``couplings`` are pairs of dots whose figures are
    joined. ``moved`` are indices of the figures that are to be moved: they blink; ``way`` are the dots that they take,
    from where to where. ``marked`` are dots that are spoken of.
    """

    dots: tuple[tuple[float, float], ...]
    tracks: tuple[tuple[tuple[float, float], ...], ...]
    figures: tuple[MapFigure, ...] = ()
    couplings: tuple[tuple[int, int], ...] = ()
    moved: tuple[int, ...] = ()
    way: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()

    @property
    def blinks(self) -> bool:
        """Whether it looks otherwise in every second frame."""
        return bool(self.moved or self.marked)


class Screen(msgspec.Struct, frozen=True):
    """What is to be seen; every part may be empty.

    ``heading`` says who is to play or where we are, ``main`` is the most important thing, ``lines`` are one to three
    sentences beside it. ``choices`` is a list to choose from with UP and DOWN, ``chosen`` an index of it. ``keys`` are
    what the buttons ROLL, PASS, UP, DOWN and BACK do now, "" for nothing. ``alert`` shows everything inverted.

    ``dice`` are the faces that lie up, at most MOST_DICE: wheels on a wheel die. ``sides`` is how many sides each
    of them has where they are not wheel dice, 0 for a wheel die; ``held`` and ``pointed`` are indices of dice.
    ``tumbling`` is 0 for dice that stand, else the number of the picture of their fall: 1, 2, 3 ... While they tumble
    ``dice`` still counts, but what it says is not shown.

    ``curve`` are past results, the oldest first; less is better. ``drawing`` is a small picture beside the text: its
    rows, of as many characters each, "#" for a dot that is lit. ``frame`` is a counter for what blinks.
    """

    heading: str = ""
    main: str = ""
    lines: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    pointed: int | None = None
    tumbling: int = 0
    map: RailwayMap | NetworkMap | None = None
    choices: tuple[str, ...] = ()
    chosen: int = 0
    curve: tuple[int, ...] = ()
    drawing: tuple[str, ...] = ()
    keys: tuple[str, str, str, str, str] = ("", "", "", "", "")
    alert: bool = False
    frame: int = 0
