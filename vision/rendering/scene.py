"""What lies on a table, and in what light and by what camera it is photographed. All of it data."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from vision.cards import Pose


class LyingCard(msgspec.Struct, frozen=True):
    """A card on the table.

    ``serial`` tells cards of one face apart, ``on_show_spot`` marks a card that is shown to the camera.
    ``lift_mm`` is how far its underside lies above the table, ``curl_mm`` how far its corners bend up.
    """

    face: str
    pose: Pose
    serial: int | None = None
    on_show_spot: bool = False
    lift_mm: float = 0.0
    curl_mm: float = 0.0


class EmmaLook(msgspec.Struct, frozen=True):
    """What the locomotive is like: her colours (R, G, B), how large she is, and how she is made.

    An ``engine`` is a model with a boiler and wheels, a ``board`` is sawn from a thick board and painted once. A
    ``folded`` one is of printed paper. In her place people put a ``pawn`` of turned wood, a ``meeple``, or a ``disc``
    as flat as a coin; these have the colour of her body.
    """

    body: tuple[int, int, int] = (24, 24, 27)
    wheels: tuple[int, int, int] = (66, 66, 72)
    dome: tuple[int, int, int] = (150, 118, 48)
    buffer: tuple[int, int, int] = (150, 40, 34)
    scale: float = 1.0
    make: Literal["engine", "board", "folded", "pawn", "meeple", "disc"] = "engine"


class Emma(msgspec.Struct, frozen=True):
    """The locomotive: where she stands, which way she looks, and the serial and index of her card."""

    pose: Pose
    serial: int | None = None
    index: int | None = None
    look: EmmaLook = EmmaLook()


Make = Literal["folded", "wood"]
"""Of printed paper, or sawn of wood and painted."""
MAKES: Final[tuple[Make, ...]] = ("folded", "wood")


class VehicleLook(msgspec.Struct, frozen=True):
    """What a small vehicle is like: a locomotive or a wagon, its colour (R, G, B), how it is made, and its size in mm.

    ``folded`` of printed paper, or sawn of ``wood`` and painted. ``size_mm`` is its length, width and height; that of a
    locomotive is the height of its cab. ``sign`` is how many spots are printed on the roof of a wagon, 4 at most, or
    bars on that of a cab: people who do not tell colours apart go by them.
    """

    is_locomotive: bool
    colour: tuple[int, int, int]
    make: Make = "folded"
    size_mm: tuple[float, float, float] = (15.0, 9.4, 9.0)
    sign: int = 0


class Vehicle(msgspec.Struct, frozen=True):
    """A vehicle where it stands, its front towards the top of its pose."""

    pose: Pose
    look: VehicleLook


class Hand(msgspec.Struct, frozen=True):
    """A hand whose fingertips are at a point, with its arm coming from a direction (degrees clockwise from up)."""

    tip_mm: tuple[float, float]
    arm_from_deg: float
    height_mm: float = 25.0
    skin: tuple[int, int, int] = (205, 150, 120)
    sleeve: tuple[int, int, int] = (70, 90, 120)
    spread: float = 1.0


class Pile(msgspec.Struct, frozen=True, tag=True):
    """Cards lying face down in a pile; their edges are a little uneven."""

    pose: Pose
    cards: int = 30


class Mug(msgspec.Struct, frozen=True, tag=True):
    """A mug or a glass."""

    centre_mm: tuple[float, float]
    radius_mm: float = 40.0
    height_mm: float = 90.0
    colour: tuple[int, int, int] = (235, 235, 240)
    drink: tuple[int, int, int] = (60, 35, 20)


class Coin(msgspec.Struct, frozen=True, tag=True):
    """A coin, or any small flat disc."""

    centre_mm: tuple[float, float]
    radius_mm: float = 11.0
    colour: tuple[int, int, int] = (190, 150, 60)


class Block(msgspec.Struct, frozen=True, tag=True):
    """A box-shaped thing that lies about: a telephone, a book, a pencil."""

    pose: Pose
    size_mm: tuple[float, float, float]
    colour: tuple[int, int, int] = (30, 30, 34)


class Scene(msgspec.Struct, frozen=True):
    """Everything on the table."""

    cards: tuple[LyingCard, ...] = ()
    emma: Emma | None = None
    hands: tuple[Hand, ...] = ()
    clutter: tuple[Pile | Mug | Coin | Block, ...] = ()
    vehicles: tuple[Vehicle, ...] = ()


class Tabletop(msgspec.Struct, frozen=True):
    """The table: its kind, its colours (R, G, B), and the seed of its grain. ``gloss`` is from 0 (felt) to 1."""

    kind: Literal["wood", "felt", "gingham", "plain", "stone", "stripes"] = "wood"
    colour: tuple[int, int, int] = (178, 138, 98)
    second_colour: tuple[int, int, int] = (238, 238, 236)
    gloss: float = 0.3
    seed: int = 0


class Light(msgspec.Struct, frozen=True):
    """A lamp above the table and the light of the room.

    ``lamp_mm`` is x, y and height. ``ambient`` is the room's share of the light, ``softness_mm`` the lamp's size,
    ``glare`` how strongly it is mirrored, ``warmth`` from -1 (blue) to 1 (orange), ``brightness`` a factor.
    """

    lamp_mm: tuple[float, float, float] = (200.0, -300.0, 1200.0)
    ambient: float = 0.45
    softness_mm: float = 120.0
    glare: float = 0.25
    warmth: float = 0.1
    brightness: float = 1.0


class Sensor(msgspec.Struct, frozen=True):
    """What the camera's lens and chip do to the picture.

    ``exposure`` is a factor, ``noise`` the standard deviation of a middle grey in parts of white, ``blur_px`` of the
    focus, ``motion_px`` x and y of a shake, ``vignette`` how much darker the corners are, ``jpeg_quality`` (1 to 100)
    that of the file it is kept in.
    """

    exposure: float = 1.0
    noise: float = 0.012
    blur_px: float = 0.6
    motion_px: tuple[float, float] = (0.0, 0.0)
    vignette: float = 0.15
    jpeg_quality: int = 88

    def finer(self, times: int) -> Sensor:
        """One of the same area with so many times the pixels a side: each catches less light, so there is more noise.

        About half of the blur is the lens's and stays as wide on the table; the other half is as wide in pixels.
        """
        motion_px = (times * self.motion_px[0], times * self.motion_px[1])
        blur_px = (1 + times) / 2 * self.blur_px
        return msgspec.structs.replace(self, noise=times * self.noise, blur_px=blur_px, motion_px=motion_px)
