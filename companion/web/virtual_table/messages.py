"""What browsers send, and what they are told: JSON objects with a ``type``, checked before anything else sees them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from companion.virtual.disturbances import LightName
from companion.web.lines import LONGEST
from hardware.buttons import Button

Number = Annotated[int, msgspec.Meta(ge=-100, le=500)]
"""Of a card; figures have 0 and less."""
Name = Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,40}$")]
Owner = Annotated[int, msgspec.Meta(ge=0, le=3)]
Millimetres = Annotated[float, msgspec.Meta(ge=-5_000, le=5_000)]
Degrees = Annotated[float, msgspec.Meta(ge=-3_600, le=3_600)]


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """A message from a browser."""


class Hold(_Told, frozen=True):
    """Somebody takes hold of a card, or of a figure."""

    number: Number


class Move(_Told, frozen=True):
    """What is held is above this place."""

    number: Number
    x: Millimetres
    y: Millimetres
    turn: Degrees


class Lay(_Told, frozen=True):
    """What is held is laid there."""

    number: Number
    x: Millimetres
    y: Millimetres
    turn: Degrees


class Put(_Told, frozen=True):
    """A card that is held goes into a hand, away or onto the pile; a figure beside the table."""

    number: Number
    place: Literal["hand", "away", "pile"]
    owner: Owner = 0


class Drop(_Told, frozen=True):
    """What is held goes back to where it was."""

    number: Number


class Turn(_Told, frozen=True):
    """A card is turned where it is, clockwise."""

    number: Number
    degrees: Degrees


class Push(_Told, frozen=True):
    """Cards on the table, and the figures that stand on them, are pushed as one, by so much."""

    numbers: Annotated[list[Number], msgspec.Meta(min_length=1, max_length=60)]
    x: Millimetres
    y: Millimetres


class Draw(_Told, frozen=True):
    """The top card of the pile goes into a hand."""

    owner: Owner = 0


class Deal(_Told, frozen=True):
    """The rest of the set-up: cards set aside go back, some into the box, and hands are dealt."""


class Press(_Told, frozen=True):
    """A button of the device is pressed."""

    button: Button
    held: bool = False


class Disturb(_Told, frozen=True):
    """Something disturbs the table from now on; what is not named stays as it is. ``bump`` bumps the camera once."""

    light: LightName | None = None
    glare: bool | None = None
    hand: bool | None = None
    display: bool | None = None
    camera: bool | None = None
    bump: bool = False


class Play(_Told, frozen=True):
    """The robot plays from now on, or stops; ``until-dealt``: it only lays the first cards and deals."""

    speed: Literal["off", "natural", "fast", "until-dealt"]


class New(_Told, frozen=True):
    """Another game."""

    game: Name
    kind: Name


class Speak(_Told, frozen=True):
    """From now on the page and the device speak this language."""

    language: Literal["en", "de", "es"]


HandMessage = Hold | Move | Lay | Put | Drop | Turn | Push | Draw
Message = HandMessage | Deal | Press | Disturb | Play | New | Speak
_DECODER: Final[msgspec.json.Decoder[Message]] = msgspec.json.Decoder(Message)


class MessageError(ValueError):
    """This is no message; it says why."""


def read_message(text: str) -> Message:
    """What a browser has sent; raises MessageError."""
    if len(text) > LONGEST:
        raise MessageError(f"A message has at most {LONGEST} characters, not {len(text)}.")
    try:
        return _DECODER.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise MessageError(f"This is no message: {error}.") from error
