"""Before a game: which one is played, by whom and by which rules, or gone on with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from msgspec.structs import replace

from companion.device.name_entry import NameEntry
from companion.games.events import Effect, Event, Fault, Kept, Leave, Pressed, Restored, Show
from companion.games.loknroll.rules import Mode, load_edition
from companion.games.settings import MOST_NAMES, Settings
from companion.screen.screen import Screen
from companion.texts.faults import DEVICES, fault_line
from companion.texts.language import LANGUAGES, Texts
from hardware.buttons import Button

_RESUME: Final = "resume"
_LEAVING: Final = ("dice", "off")


class Lobby:
    """Asks what is to be done; is left for ``begin`` (``mode`` says which game), ``resume``, ``dice`` or ``off``."""

    expected_faces: Collection[str] = ()

    def __init__(
        self, settings: Settings, editions: Sequence[str], *, can_resume: bool = False, is_in_trouble: bool = False
    ) -> None:
        """``editions`` are those that can be played with the deck; ``can_resume``: a game has not been finished.

        ``is_in_trouble``: a game could not be kept, which is shown until a button is pressed.
        """
        self.settings = settings if settings.edition in editions else replace(settings, edition=editions[0])
        self.mode: Mode | None = None
        self._editions = editions
        self._can_resume = can_resume
        self._is_in_trouble = is_in_trouble
        self._chosen = 0
        self._seat: int | None = None
        """The chosen one in the list of names, while it is open."""
        self._spelled: NameEntry | None = None
        self._shown: Screen | None = None
        self._faults: dict[str, str] = {}

    @property
    def held_buttons(self) -> Collection[Button]:
        """The buttons that mean something else when they are held, if only together."""
        return {Button.PASS, Button.BACK} if self._spelled is None else self._spelled.held_buttons

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""
        effects: list[Effect] = []
        match event:
            case Pressed(button=button, held=held):
                effects = self._pressed(button, held=held)
            case Fault(device=device, message=message) if device in DEVICES:
                self._faults[device] = message
            case Restored(device=device):
                self._faults.pop(device, None)
            case _:
                pass
        screen = self.screen()
        if screen != self._shown:
            self._shown = screen
            effects.append(Show(screen))
        return effects

    def _pressed(self, button: Button, *, held: bool) -> list[Effect]:
        if self._is_in_trouble:
            self._is_in_trouble = False
        elif self._spelled is not None:
            if self._spelled.press(button, held=held):
                return self._named(self._spelled)
        elif self._seat is not None:
            self._in_names(self._seat, button)
        elif button in {Button.UP, Button.DOWN}:
            self._chosen = (self._chosen + _step(button)) % len(self.entries)
        elif button is Button.ROLL:
            return self._choose(self.entries[self._chosen])
        return []

    @property
    def entries(self) -> tuple[str, ...]:
        """What is in the list, from its top."""
        modes = (mode.value for mode in load_edition(self.settings.edition).modes)
        editions = ("edition",) if len(self._editions) > 1 else ()
        return (*[_RESUME][: self._can_resume], *modes, "names", *editions, "large", "language", *_LEAVING)

    def _choose(self, entry: str) -> list[Effect]:
        now = self.settings
        changes: dict[str, Callable[[], Settings]] = {
            "language": lambda: replace(now, language=_after(LANGUAGES, now.language)),
            "edition": lambda: replace(now, edition=_after(self._editions, now.edition)),
            "large": lambda: replace(now, large=not now.large),
        }
        if entry in changes:
            self.settings = changes[entry]()
            self._chosen = self.entries.index(entry)
            return [Kept(self.settings)]
        if entry == "names":
            self._seat = 0
            return []
        if entry == _RESUME or entry in _LEAVING:
            return [Leave(entry)]
        self.mode = Mode(entry)
        return [Leave("begin")]

    def _in_names(self, seat: int, button: Button) -> None:
        if button in {Button.UP, Button.DOWN}:
            self._seat = (seat + _step(button)) % MOST_NAMES
        elif button is Button.ROLL:
            self._spelled = NameEntry(seat + 1, self.settings.seats[seat])
        else:
            self._seat = None

    def _named(self, spelled: NameEntry) -> list[Effect]:
        names = list(self.settings.seats)
        names[spelled.number - 1] = spelled.name
        self.settings = replace(self.settings, names=tuple(names))
        self._spelled = None
        self._seat = spelled.number % MOST_NAMES
        return [Kept(self.settings)]

    def screen(self) -> Screen:
        """The list, or what else is to be seen."""
        say = Texts(self.settings.language, "companion.texts")
        if self._is_in_trouble:
            keys = (say("control.key-ok"), "", "", "", "")
            lines = (say("control.fault-record-help"),)
            return Screen(main=say("control.fault-record"), lines=lines, keys=keys, alert=True)
        if self._spelled is not None:
            return self._spelled.screen(say)
        if self._seat is not None:
            keys = (say("control.key-change"), "", "▲", "▼", say("control.key-back"))
            choices = player_names(self.settings, MOST_NAMES)
            return Screen(heading=say("control.names"), choices=choices, chosen=self._seat, keys=keys)
        keys = (say("control.key-ok"), "", "▲", "▼", "")
        choices = tuple(self._name(say, entry) for entry in self.entries)
        faults = [fault_line(say, device, told) for device, told in sorted(self._faults.items())]
        return Screen(heading="LOK'n'ROLL", lines=tuple(faults[:1]), choices=choices, chosen=self._chosen, keys=keys)

    def _name(self, say: Texts, entry: str) -> str:
        now = self.settings
        match entry:
            case "language":
                return say("control.set-language", language=say("control.this-language"))
            case "edition":
                return say("control.set-edition", edition=say(f"control.edition-{now.edition.replace('_', '-')}"))
            case "large":
                return say("control.set-large", value=say("control.yes" if now.large else "control.no"))
            case "names" | "resume":
                return say(f"control.{entry}")
            case "dice" | "off":
                return say(f"control.leave-{entry}")
        return say(f"control.mode-{entry}", automaton=load_edition(now.edition).automaton)


def player_names(settings: Settings, count: int) -> tuple[str, ...]:
    """What the first players are called: as they want, or by their numbers."""
    say = Texts(settings.language, "companion.texts")
    return tuple(name or say("control.player", number=seat + 1) for seat, name in enumerate(settings.seats[:count]))


def _step(button: Button) -> int:
    return 1 if button is Button.DOWN else -1


def _after(values: Sequence[str], value: str) -> str:
    return values[(values.index(value) + 1) % len(values)]
