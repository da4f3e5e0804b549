"""What is to be seen: the most urgent thing first."""

from __future__ import annotations

from typing import Final, Protocol

from msgspec.structs import replace

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.trouble import trouble, trouble_lines
from companion.games.loknroll.table.maps import railway_map
from companion.screen.screen import MOST_DICE, Screen
from companion.texts.faults import DEVICES, fault_line

DICE_AT_ONCE: Final = 4
TUMBLING_SECONDS: Final = 0.7
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
        return Screen(main=desk.word("fault-record"), lines=(desk.word("fault-record-help"),), alert=True)
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
    return _with_remarks(desk, phase.screen(desk))


def _with_remarks(desk: Desk, shown: Screen) -> Screen:
    """What was just remarked stands alone beside the main words; what does not work stands before the other lines."""
    if desk.notice:
        return replace(shown, lines=(desk.notice,))
    faults = [fault_line(desk.say, device, told) for device, told in sorted(desk.faults.items()) if device in DEVICES]
    return replace(shown, lines=(*faults, *shown.lines)[:3]) if faults else shown


def _objection_screen(desk: Desk) -> Screen:
    objection = desk.objection
    if objection is None:
        return Screen()
    can_stay = objection.is_place or objection.can_stay
    keys = (desk.word("key-lies") if can_stay else "", desk.word("key-other"), desk.word("key-look"), "", "")
    face = desk.state.setup.deck[objection.card.face]
    picture = railway_map(desk.state, marked=objection.marked) if objection.marked else None
    choice = desk.choice if objection.can_stay else None
    if choice is not None:
        picture = railway_map(desk.state, face, choice.placement)
    heading = desk.word("wrong-card", card=face)
    lines = (objection.advice,) if objection.advice else ()
    return Screen(heading=heading, main=objection.text, lines=lines, map=picture, keys=keys, alert=True)


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
        # More dice than can be told apart are told as a number.
        dice = story.dice if len(story.dice) <= MOST_DICE else ()
        return Screen(heading=story.heading, main=desk.word("wheels", count=sum(story.dice)), dice=dice)
    return None
