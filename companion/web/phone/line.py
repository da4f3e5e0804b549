"""What a phone says on its line, and what comes of it: presses of the buttons, from those that were let in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from companion.games.events import Pressed
from companion.web.lines import LONGEST
from hardware.buttons import Button

if TYPE_CHECKING:
    from companion.device.session import Session


class _Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """A message from a phone."""


class Press(_Said, frozen=True):
    """A button is pressed, or held for about a second."""

    button: Button
    held: bool = False


Message = Press
_DECODER: Final[msgspec.json.Decoder[Message]] = msgspec.json.Decoder(Message)


def take(session: Session, text: str, *, is_inside: bool) -> str | None:
    """Does what a phone says; why not, as JSON, where that cannot be."""
    if not is_inside:
        return _refused("outside")
    try:
        message = _DECODER.decode(text[: LONGEST + 1])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return _refused("message")
    session.post(Pressed(message.button, message.held))
    return None


def _refused(reason: str) -> str:
    return msgspec.json.encode({"type": "refused", "reason": reason}).decode()
