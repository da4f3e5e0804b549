"""Browsers that want to do more than watch: each is asked for digits of the screen, then people say yes with a button.

A browser knocks; the screen shows its address and six digits; who sees them types them in there; then the screen asks
whether it may come in. Only people at the table see the digits, and only they can press. One that is in already asks
them in the same way before it puts another version of the program in place, or tries screen and buttons with them.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping
from enum import Enum
from typing import Final, NamedTuple

from companion.games.events import Effect, Event, Pressed, Show, Sound, Tick
from companion.games.game import Handler
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.buttons import Button

WAITING_SECONDS: Final = 120.0
"""So long somebody who has knocked is waited for."""
QUIET_SECONDS: Final = 600.0
"""So long nobody can knock after people have said no: whoever only disturbs gets no second screen at once."""
TRIAL_SECONDS: Final = 40.0
"""So long screen and buttons are tried, if not all have been pressed before."""
_LAST_LOOK_SECONDS: Final = 2.0
"""So long the last press can be seen then."""
MOST_TRIES: Final = 5
"""Of one address in a minute, and of all who try the digits of one screen."""
BEFORE: Final = "<"
"""In place of a version: the one before is to be put in place again. No version is called so."""
_MINUTE_SECONDS: Final = 60.0
_DIGITS: Final = 6
_MOST_ADDRESSES: Final = 200
_STEADY_SECONDS: Final = 0.7
"""A button counts only once the question has been there for so long: people may be about to press it for the game."""


class Answer(Enum):
    """What has come of knocking."""

    DIGITS = "digits"
    PEOPLE = "people"
    COME_IN = "come-in"
    NO = "no"


class Trial(NamedTuple):
    """Screen and buttons are tried: which buttons have been pressed so far, and until when it goes on."""

    until: float
    pressed: frozenset[Button] = frozenset()


class NotNowError(Exception):
    """Nobody can knock, or try digits, just now: ``reason`` is ``busy``, ``quiet``, ``often`` or ``gone``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Knock(NamedTuple):
    """Somebody wants to come in: from where, the digits of the screen, and until when; ``tries`` were wrong.

    ``version`` is the one that somebody who is in wants to put in place, "" for one who wants to come in.
    """

    secret: str
    address: str
    digits: str
    until: float
    tries: int = 0
    answer: Answer = Answer.DIGITS
    version: str = ""


class Visitors:
    """Who knocks, one at a time; may be used from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._knock: Knock | None = None
        self._quiet_until = float("-inf")
        self._tried: dict[str, list[float]] = {}
        self._trial: Trial | None = None

    def knock(self, address: str) -> str:
        """Somebody at this address wants to come in; a secret to ask with what came of it. Raises NotNowError."""
        digits = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
        return self._wait_for(Knock(secrets.token_urlsafe(16), address, digits, 0.0))

    def ask(self, version: str, address: str) -> str:
        """Who is in wants to put this version in place: people are asked. As ``knock``."""
        return self._wait_for(Knock(secrets.token_urlsafe(16), address, "", 0.0, answer=Answer.PEOPLE, version=version))

    def _wait_for(self, knock: Knock) -> str:
        with self._lock:
            self._count_try(knock.address)
            if self._clock() < self._quiet_until:
                raise NotNowError("quiet")
            if self._current() is not None or self._tried_out() is not None:
                raise NotNowError("busy")
            self._knock = knock._replace(until=self._clock() + WAITING_SECONDS)
            return knock.secret

    def try_out(self) -> None:
        """For a while the screen shows itself, and buttons are only seen; raises NotNowError."""
        with self._lock:
            if self._current() is not None or self._tried_out() is not None:
                raise NotNowError("busy")
            self._trial = Trial(self._clock() + TRIAL_SECONDS)

    @property
    def trial(self) -> Trial | None:
        """What is tried now."""
        with self._lock:
            return self._tried_out()

    def note_press(self, button: Button) -> None:
        """A button was pressed while they are tried; with the last one it is over, soon."""
        with self._lock:
            trial = self._tried_out()
            if trial is not None:
                pressed = trial.pressed | {button}
                until = self._clock() + _LAST_LOOK_SECONDS if len(pressed) == len(Button) else trial.until
                self._trial = Trial(min(until, trial.until), pressed)

    def try_digits(self, secret: str, digits: str, address: str) -> bool:
        """Whether these are the digits of the screen; then people are asked. Raises NotNowError."""
        with self._lock:
            self._count_try(address)
            knock = self._of(secret)
            if knock.answer is not Answer.DIGITS:
                return True
            if hmac.compare_digest(knock.digits.encode(), digits.encode()):
                self._knock = knock._replace(answer=Answer.PEOPLE, until=self._clock() + WAITING_SECONDS)
                return True
            tries = knock.tries + 1
            # However many addresses somebody has, it is the same screen.
            self._knock = None if tries >= MOST_TRIES else knock._replace(tries=tries)
            return False

    def answer_to(self, secret: str, *, at_door: bool | None = None) -> Answer:
        """What has come of it so far; whoever may come in is told so once. Raises NotNowError where it is over.

        ``at_door``: whether it has to be somebody who wants to come in, or must not be, if that matters.
        """
        with self._lock:
            knock = self._of(secret)
            if at_door is not None and at_door is bool(knock.version):
                # A yes to a version is no yes to another browser.
                raise NotNowError("gone")
            answer = knock.answer
            if answer in {Answer.COME_IN, Answer.NO}:
                self._knock = None
            return answer

    def withdraw(self, secret: str) -> None:
        """Who knocked wants to come in no more, and nobody else has to wait for them. Raises NotNowError."""
        with self._lock:
            # A program that is to be put in place is asked about by who is in already: no door is closed on that.
            if self._of(secret).version:
                raise NotNowError("gone")
            self._knock = None

    @property
    def now(self) -> Knock | None:
        """Who is to be shown on the screen."""
        with self._lock:
            knock = self._current()
        return knock if knock is not None and knock.answer in {Answer.DIGITS, Answer.PEOPLE} else None

    def decide(self, knock: Knock, *, is_welcome: bool) -> None:
        """People have said so."""
        with self._lock:
            if not is_welcome:
                self._quiet_until = self._clock() + QUIET_SECONDS
            if self._knock is not None and self._knock.secret == knock.secret:
                self._knock = self._knock._replace(answer=Answer.COME_IN if is_welcome else Answer.NO)

    def _current(self) -> Knock | None:
        if self._knock is not None and self._clock() >= self._knock.until:
            self._knock = None
        return self._knock

    def _tried_out(self) -> Trial | None:
        if self._trial is not None and self._clock() >= self._trial.until:
            self._trial = None
        return self._trial

    def _of(self, secret: str) -> Knock:
        knock = self._current()
        if knock is None or not hmac.compare_digest(knock.secret.encode(), secret.encode()):
            raise NotNowError("gone")
        return knock

    def _count_try(self, address: str) -> None:
        now = self._clock()
        self._tried = {
            other: recent
            for other, times in self._tried.items()
            if (recent := [at for at in times if now - at < _MINUTE_SECONDS])
        }
        tried = self._tried.get(address, [])
        if len(tried) >= MOST_TRIES or (not tried and len(self._tried) >= _MOST_ADDRESSES):
            raise NotNowError("often")
        self._tried[address] = [*tried, now]


class Doorman:
    """Stands before what runs: while somebody knocks, the screen and the buttons are for that."""

    def __init__(self, handler: Handler, visitors: Visitors) -> None:
        self._handler, self._visitors = handler, visitors
        self._behind: Show | None = None
        """What would be seen if nobody knocked."""
        self._shown: Screen | None = None
        self._asked_at = self._now = float("-inf")

    @property
    def settings(self) -> Settings:
        return self._handler.settings

    @property
    def expected_faces(self) -> Collection[str]:
        return self._handler.expected_faces

    @property
    def held_buttons(self) -> Collection[Button]:
        return self._handler.held_buttons

    def facts(self) -> Mapping[str, object]:
        return self._handler.facts()

    def handle(self, event: Event) -> list[Effect]:
        """As what runs does, but for presses and screens while somebody knocks."""
        if isinstance(event, Tick):
            self._now = event.seconds
        effects: list[Effect] = []
        if isinstance(event, Pressed) and self._visitors.trial is not None:
            self._visitors.note_press(event.button)
        elif isinstance(event, Pressed) and self._shown is not None:
            self._press(event.button)
        else:
            effects = self._handler.handle(event)
        shows = [effect for effect in effects if isinstance(effect, Show)]
        self._behind = shows[-1] if shows else self._behind
        instead = self._instead()
        if instead:
            return [*(effect for effect in effects if not isinstance(effect, Show)), *self._announced(instead)]
        if self._shown is not None:
            self._shown = None
            return effects if shows or self._behind is None else [*effects, self._behind]
        return effects

    def _instead(self) -> list[Effect]:
        """What is to be seen, and heard, in place of what runs; nothing where that goes on."""
        say, knock, trial = Texts(self.settings.language), self._visitors.now, self._visitors.trial
        if knock is not None:
            return [Show(knock_screen(say, knock), is_private=True)]
        return [] if trial is None else [Show(trial_screen(say, trial)), Sound("end")]

    def _announced(self, instead: list[Effect]) -> list[Effect]:
        """Each once: of a trial each press is heard."""
        (screen,) = (effect.screen for effect in instead if isinstance(effect, Show))
        if screen == self._shown:
            return []
        self._shown, self._asked_at = screen, self._now
        return instead

    def _press(self, button: Button) -> None:
        knock = self._visitors.now
        if knock is None or self._now - self._asked_at < _STEADY_SECONDS:
            return
        if button is Button.BACK:
            self._visitors.decide(knock, is_welcome=False)
        elif button is Button.ROLL and knock.answer is Answer.PEOPLE:
            self._visitors.decide(knock, is_welcome=True)


def knock_screen(say: Texts, knock: Knock) -> Screen:
    """What the screen says while somebody knocks."""
    no = say("visitors.key-no")
    if knock.version:
        keys = (say("device.yes"), "", "", "", no)
        main = say("visitors.back") if knock.version == BEFORE else say("visitors.put-in", version=knock.version)
        return Screen(knock.address, main, (say("visitors.is-program"),), keys=keys)
    if knock.answer is Answer.PEOPLE:
        keys = (say("visitors.key-yes"), "", "", "", no)
        return Screen(knock.address, say("visitors.may-it"), keys=keys)
    half = _DIGITS // 2
    digits = f"{knock.digits[:half]} {knock.digits[half:]}"
    lines = (say("visitors.type-digits"),)
    return Screen(knock.address, digits, lines, keys=("", "", "", "", no))


def trial_screen(say: Texts, trial: Trial) -> Screen:
    """What the screen says while it is tried: its corners, a picture that is askew is seen, and what is pressed yet."""
    roll, pass_, up, down, back = ("✓" if button in trial.pressed else str(at) for at, button in enumerate(Button, 1))
    left = len(Button) - len(trial.pressed)
    main = say("visitors.press-each") if left else say("visitors.all-pressed")
    return Screen(say("visitors.top-left"), main, keys=(roll, pass_, up, down, back))
