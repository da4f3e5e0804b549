"""What a phone says on its line, and what comes of it: presses, taps, touches, corrections, of those let in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from companion.games.events import CardTold, Corrected, Event, Opened, Pressed, TakenBack, Tapped, Touched
from companion.web.lines import LONGEST
from hardware.buttons import Button

if TYPE_CHECKING:
    from companion.device.session import Session


Number = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Millimetres = Annotated[float, msgspec.Meta(ge=-500, le=500)]
Far = Annotated[float, msgspec.Meta(ge=-100_000, le=100_000)]
Words = Annotated[str, msgspec.Meta(max_length=500)]
FaceId = Annotated[str, msgspec.Meta(max_length=100)]


class _Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """A message from a phone."""


class Press(_Said, frozen=True):
    """A button is pressed, or held for about a second."""

    button: Button
    held: bool = False


class Tap(_Said, frozen=True):
    """A line of the list on the screen is tapped: its index, what it says, and what stands above the list."""

    line: Number
    text: Words
    heading: Words


class Correct(_Said, frozen=True):
    """A card is another one: its number and face as they were told, and the face that it has."""

    card: Number
    was: FaceId
    face: FaceId


class Back(_Said, frozen=True):
    """The last thing done is taken back, if it is still the moment that was told."""

    moment: FaceId


class Touch(_Said, frozen=True):
    """The table is touched with a tool, from here to there: as ``Touched``."""

    tool: FaceId
    x: Far
    y: Far
    to_x: Far
    to_y: Far


class Card(_Said, frozen=True):
    """What the card is that is being taught: the number of the question, value, kind, and edges with mm for rails."""

    asked: Number
    value: Annotated[int, msgspec.Meta(ge=1, le=9)]
    kind: Annotated[str, msgspec.Meta(max_length=20)]
    ports: Annotated[tuple[tuple[Literal["N", "E", "S", "W"], Millimetres], ...], msgspec.Meta(max_length=4)]
    placed: bool = False


class Open(_Said, frozen=True):
    """What can only be begun from the list of games."""

    line: Literal["teach", "aim"]


Message = Press | Tap | Correct | Back | Touch | Card | Open
_DECODER: Final[msgspec.json.Decoder[Message]] = msgspec.json.Decoder(Message)


def take(session: Session, text: str, *, is_inside: bool, is_door_asked: bool = False) -> str | None:
    """Does what a phone says; why not, as JSON, where that cannot be.

    Who comes in is for the people at the table: ``is_door_asked`` while their buttons mean that.
    """
    if not is_inside:
        return _refused("outside")
    try:
        message = _DECODER.decode(text[: LONGEST + 1])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return _refused("message")
    if is_door_asked and isinstance(message, Press | Tap):
        return _refused("door")
    if session.is_behind:
        return _refused("behind")
    session.post(_event(message))
    return None


def _event(message: Message) -> Event:
    event: Event
    match message:
        case Press(button=button, held=held):
            event = Pressed(button, held)
        case Tap(line=line, text=text, heading=heading):
            event = Tapped(line, text, heading)
        case Correct(card=card, was=was, face=face):
            event = Corrected(card, was, face)
        case Back(moment=moment):
            event = TakenBack(moment)
        case Touch(tool=tool, x=x, y=y, to_x=to_x, to_y=to_y):
            event = Touched(tool, x, y, to_x, to_y)
        case Card(asked=asked, value=value, kind=kind, ports=ports, placed=is_placed):
            event = CardTold(asked, value, kind, ports, is_placed)
        case Open(line=line):
            event = Opened(line)
    return event


def _refused(reason: str) -> str:
    return msgspec.json.encode({"type": "refused", "reason": reason}).decode()
