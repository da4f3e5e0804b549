"""From the levels of buttons over time to presses: bouncing contacts, holding, buttons that are stuck. No clock."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from typing import NamedTuple

from hardware.buttons import Button, ButtonEvent, Kind


class ButtonTiming(NamedTuple):
    """Times in seconds, each at least 0."""

    bounce: float = 0.015
    """A level counts once it has been the same for so long; shorter ones are the contacts' bouncing."""
    hold: float = 1.0
    stuck: float = 10.0


class _Contact:
    """One button: its level as measured, and what was made of it."""

    def __init__(self, *, is_down: bool, at_seconds: float) -> None:
        self.is_down = is_down
        self.changed_at = at_seconds
        self.is_pressed = False
        self.pressed_at = at_seconds
        self.is_held = False
        self.is_stuck = False
        self.was_down_at_start = is_down


class ButtonWatch:
    """Each level that is handed in with its time makes events, in the order of each button's times."""

    def __init__(
        self, buttons: Collection[Button], timing: ButtonTiming, down_at_start: Collection[Button], at_seconds: float
    ) -> None:
        """Buttons that are down at the start are stuck until they have been up."""
        self._timing = timing
        self._contacts = {
            button: _Contact(is_down=button in down_at_start, at_seconds=at_seconds) for button in buttons
        }

    @property
    def stuck(self) -> frozenset[Button]:
        """The buttons that are stuck now."""
        return frozenset(button for button, contact in self._contacts.items() if contact.is_stuck)

    def add(self, button: Button, *, is_down: bool, at_seconds: float) -> None:
        """One more button, known from now on."""
        self._contacts[button] = _Contact(is_down=is_down, at_seconds=at_seconds)

    def remove(self, button: Button, at_seconds: float) -> list[ButtonEvent]:
        """A button is gone: if it was down, that was no press, and it is up from now on."""
        contact = self._contacts.pop(button)
        if not contact.is_pressed:
            return []
        kinds = (Kind.FREED,) if contact.is_stuck else (Kind.STUCK, Kind.FREED)
        return [ButtonEvent(button, kind, at_seconds) for kind in kinds]

    def level(self, button: Button, *, is_down: bool, at_seconds: float) -> list[ButtonEvent]:
        """A button's contact was open or closed at a time; the same level again changes nothing."""
        contact = self._contacts[button]
        if is_down == contact.is_down:
            return []
        # First what the level until now has come to: nobody may have asked while it lasted.
        events = self._judged(button, contact, at_seconds)
        contact.is_down = is_down
        contact.changed_at = at_seconds
        return events

    def wait(self, at_seconds: float) -> list[ButtonEvent]:
        """The time has come so far without a change."""
        judged = [self._judged(button, contact, at_seconds) for button, contact in self._contacts.items()]
        return sorted(itertools.chain.from_iterable(judged), key=lambda event: event.at_seconds)

    def _judged(self, button: Button, contact: _Contact, now: float) -> list[ButtonEvent]:
        """What a button has become since it was last looked at."""
        events = []
        if contact.is_down != contact.is_pressed and now - contact.changed_at >= self._timing.bounce:
            contact.is_pressed = contact.is_down
            # With the time when it happened, not when it was sure: else quick presses would change their order.
            events.append(ButtonEvent(button, self._turned(contact), contact.changed_at))
        if contact.is_down and contact.is_pressed and not contact.is_stuck:
            down_for = now - contact.pressed_at
            if down_for >= self._timing.hold and not contact.is_held:
                contact.is_held = True
                events.append(ButtonEvent(button, Kind.HELD, contact.pressed_at + self._timing.hold))
            stuck_at = self._down_since() + self._timing.stuck
            if now >= stuck_at:
                contact.is_stuck = True
                events.append(ButtonEvent(button, Kind.STUCK, stuck_at))
        return events

    def _down_since(self) -> float:
        """When the last of the buttons went down that are down and not stuck: who holds several means it.

        Two that are held to switch off must not be taken for broken because one was pressed long before the other.
        """
        down = [each for each in self._contacts.values() if each.is_down and each.is_pressed and not each.is_stuck]
        return max(each.pressed_at for each in down)

    @staticmethod
    def _turned(contact: _Contact) -> Kind:
        if contact.is_pressed:
            contact.pressed_at = contact.changed_at
            contact.is_held = False
            # Down from the start is no press: a wire may touch ground, or something lies on the button.
            contact.is_stuck = contact.was_down_at_start
            return Kind.STUCK if contact.is_stuck else Kind.PRESSED
        kind = Kind.FREED if contact.is_stuck else Kind.RELEASED
        contact.is_stuck = contact.was_down_at_start = False
        return kind
