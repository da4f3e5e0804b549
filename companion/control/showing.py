"""What is to be seen: the most urgent thing first."""

from __future__ import annotations

from typing import Final, Protocol

from msgspec.structs import replace

from companion.control.desk import Desk
from companion.control.maps import railway_map
from companion.control.trouble import trouble, trouble_lines
from companion.screen import Screen

DICE_AT_ONCE: Final = 4
TUMBLING_SECONDS: Final = 0.8
"""So long all dice of a roll tumble together; with the standing ones it stays below a second."""
STANDING_SECONDS: Final = 2.0
"""So long the dice stand before what they did is told; whoever goes on sooner is not kept."""
_PICTURES_PER_SECOND: Final = 10


class Speaks(Protocol):
    """A part of the game that has a screen."""

    def screen(self, desk: Desk) -> Screen:
        """What is to be seen."""


def screen(desk: Desk, phase: Speaks) -> Screen:
    """What is to be seen now."""
    if "record" in desk.faults:
        return Screen(main=desk.word("fault-record"), lines=(desk.faults["record"],), alert=True)
    falling = dice_screen(desk)
    if falling is not None:
        return falling
    if desk.dialog is not None:
        return desk.dialog.screen(desk)
    if desk.objection is not None:
        return _objection_screen(desk)
    if wrong := trouble(desk):
        first, *rest = trouble_lines(desk, wrong)
        keys = (desk.word("key-right"), "", desk.word("key-look"), "", "")
        return Screen(heading=desk.name, main=first, lines=tuple(rest), map=None, keys=keys, alert=True)
    shown = phase.screen(desk)
    extra = [desk.notice] if desk.notice else []
    extra += [desk.word(f"fault-{device}") for device in sorted(desk.faults) if device in _DEVICES]
    return replace(shown, lines=(*extra, *shown.lines)[:3]) if extra else shown


_DEVICES: Final = frozenset({"camera", "buttons", "display", "clock"})


def _objection_screen(desk: Desk) -> Screen:
    objection = desk.objection
    if objection is None:
        return Screen()
    can_stay = objection.is_place or objection.can_stay
    keys = (desk.word("key-lies") if can_stay else "", desk.word("key-other"), desk.word("key-look"), "", "")
    face = desk.state.setup.deck[objection.card.face]
    picture = railway_map(desk.state, marked=objection.marked) if objection.marked else None
    heading = desk.word("wrong-card", card=face)
    return Screen(heading=heading, main=objection.text, map=picture, keys=keys, alert=True)


def dice_screen(desk: Desk) -> Screen | None:
    """The dice while they fall and stand: four at a time, all of them in less than a second."""
    story = desk.story
    if story is None or not story.dice or desk.dialog is not None:
        return None
    since = desk.now - story.at_seconds
    groups = [story.dice[at : at + DICE_AT_ONCE] for at in range(0, len(story.dice), DICE_AT_ONCE)]
    if since < TUMBLING_SECONDS:
        group = min(int(since / TUMBLING_SECONDS * len(groups)), len(groups) - 1)
        number = 1 + int(since * _PICTURES_PER_SECOND)
        return Screen(heading=story.heading, dice=groups[group], tumbling=number)
    if since < STANDING_SECONDS and desk.stepped_at <= story.at_seconds:
        lines = (desk.word("wheels", count=sum(story.dice), dice=len(story.dice)),)
        return Screen(heading=story.heading, dice=story.dice[-8:], lines=lines)
    return None
