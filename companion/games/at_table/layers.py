"""Who is seen and who hears the buttons: one order for both, the most urgent first."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final, Generic, TypeVar

from msgspec.structs import replace

from companion.games.at_table.desk import PlayDesk
from companion.games.events import Pressed
from companion.screen.screen import MOST_DICE, Screen
from companion.texts.faults import FAULTS

DICE_AT_ONCE: Final = 4
TUMBLING_SECONDS: Final = 0.7
"""So long all dice of a roll tumble together; with the standing ones it stays below a second."""
STANDING_SECONDS: Final = 2.0
"""So long the dice stand before what they did is told; whoever goes on sooner is not kept."""
_PICTURES_PER_SECOND: Final = 10

Desk = TypeVar("Desk", bound=PlayDesk, contravariant=True)  # noqa: PLC0105 - one word for one thing


class Layer(Generic[Desk]):
    """Something that lies over all that is below it: it is seen in its place, and hears presses before it."""

    def is_up(self, desk: Desk) -> bool:  # noqa: ARG002 - whatever lies there
        """Whether it is there."""
        return True

    def press(self, desk: Desk, press: Pressed) -> bool:  # noqa: ARG002 - it hears nothing
        """Does what a button is for; says whether that was for this layer. What was not is for those below."""
        return False

    def screen(self, desk: Desk) -> Screen | None:  # noqa: ARG002 - nothing of it is to be seen
        """What is to be seen; None where what is below shows through."""
        return None


def hear(layers: Sequence[Layer[Desk]], desk: Desk, press: Pressed) -> None:
    """A press goes down to the layer that it is for."""
    for layer in layers:
        if layer.is_up(desk) and layer.press(desk, press):
            return


def screen(layers: Sequence[Layer[Desk]], desk: Desk) -> Screen:
    """What is to be seen of all layers."""
    shown = (layer.screen(desk) for layer in layers if layer.is_up(desk))
    return next((each for each in shown if each is not None), Screen())


class Unrecorded(Layer[PlayDesk]):
    """A step could not be recorded. People try again once there is room, so presses are for what is below."""

    def is_up(self, desk: PlayDesk) -> bool:
        """For a while, or until a step is recorded."""
        return bool(desk.faults.unrecorded)

    def screen(self, desk: PlayDesk) -> Screen:
        """What to do about it."""
        fault = f"fault-{desk.faults.unrecorded}"
        return Screen(main=desk.word(fault), lines=(desk.word(f"{fault}-help"),), alert=True)


class OpenDialog(Layer[PlayDesk]):
    """What people are asked, or look at: while it is open all presses are for it."""

    def is_up(self, desk: PlayDesk) -> bool:
        """While one is open."""
        return desk.dialog is not None

    def press(self, desk: PlayDesk, press: Pressed) -> bool:
        """Hears everything."""
        if desk.dialog is not None:
            desk.dialog.press(desk, press.button, held=press.held)
        return True

    def screen(self, desk: PlayDesk) -> Screen | None:
        """As the dialog says."""
        return None if desk.dialog is None else desk.dialog.screen(desk)


class FallingDice(Layer[PlayDesk]):
    """The dice while they fall and stand. Presses are for what is below: whoever goes on sooner is not kept."""

    def __init__(self, sides: int = 0) -> None:
        """``sides`` of each die, 0 for a wheel die."""
        self._sides = sides

    def is_up(self, desk: PlayDesk) -> bool:
        """While they tumble; then until they have been seen, or the game goes on."""
        story = desk.story
        if story is None or not story.dice:
            return False
        has_gone_on = desk.clock.stepped_at > story.at_seconds
        return desk.now - story.at_seconds < (TUMBLING_SECONDS if has_gone_on else STANDING_SECONDS)

    def screen(self, desk: PlayDesk) -> Screen | None:
        """Four dice at a time, all of them in less than a second."""
        story = desk.story
        if story is None:
            return None
        since = desk.now - story.at_seconds
        if since < TUMBLING_SECONDS:
            groups = [story.dice[at : at + DICE_AT_ONCE] for at in range(0, len(story.dice), DICE_AT_ONCE)]
            dice = groups[min(int(since / TUMBLING_SECONDS * len(groups)), len(groups) - 1)]
            number = 1 + int(since * _PICTURES_PER_SECOND)
            return Screen(heading=story.heading, dice=dice, sides=self._sides_of(dice), tumbling=number)
        # More dice than can be told apart are told as a number.
        dice = story.dice if len(story.dice) <= MOST_DICE else ()
        main = self.told(desk, story.dice)
        return Screen(heading=story.heading, main=main, dice=dice, sides=self._sides_of(dice))

    def _sides_of(self, dice: Sequence[int]) -> tuple[int, ...]:
        return (self._sides,) * len(dice) if self._sides else ()

    @abstractmethod
    def told(self, desk: PlayDesk, dice: Sequence[int]) -> str:
        """What the dice that lie there show, in words."""


def with_faults(desk: PlayDesk, shown: Screen) -> Screen:
    """What was just remarked stands alone beside the main words; what does not work stands before other lines."""
    if desk.notice:
        return replace(shown, lines=(desk.notice,))
    told = sorted((device, told) for device, told in desk.faults.told.items() if device in FAULTS)
    faults = [desk.word.fault(device, message) for device, message in told]
    return replace(shown, lines=(*faults, *shown.lines)[:3]) if faults else shown
