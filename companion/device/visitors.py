"""Browsers that want to do more than watch: each is asked for digits of the screen, then people say yes with a button.

A browser knocks; the screen shows its address and six digits; who sees them types them in there; then the screen asks
whether it may come in. Only people at the table see the digits, and only they can press.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping
from enum import Enum
from typing import Final, NamedTuple

from companion.games.events import Effect, Event, Pressed, Show, Tick
from companion.games.game import Handler
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.buttons import Button

WAITING_SECONDS: Final = 120.0
"""So long somebody who has knocked is waited for."""
QUIET_SECONDS: Final = 600.0
"""So long nobody can knock after people have said no: whoever only disturbs gets no second screen at once."""
MOST_TRIES: Final = 5
"""Of one address in a minute, and of all who try the digits of one screen."""
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


class NotNowError(Exception):
    """Nobody can knock, or try digits, just now: ``reason`` is ``busy``, ``quiet``, ``often`` or ``gone``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Knock(NamedTuple):
    """Somebody wants to come in: from where, the digits of the screen, and until when; ``tries`` were wrong."""

    secret: str
    address: str
    digits: str
    until: float
    tries: int = 0
    answer: Answer = Answer.DIGITS


class Visitors:
    """Who knocks, one at a time; may be used from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._knock: Knock | None = None
        self._quiet_until = float("-inf")
        self._tried: dict[str, list[float]] = {}

    def knock(self, address: str) -> str:
        """Somebody at this address wants to come in; a secret to ask with what came of it. Raises NotNowError."""
        with self._lock:
            self._count_try(address)
            if self._clock() < self._quiet_until:
                raise NotNowError("quiet")
            if self._current() is not None:
                raise NotNowError("busy")
            digits = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
            self._knock = Knock(secrets.token_urlsafe(16), address, digits, self._clock() + WAITING_SECONDS)
            return self._knock.secret

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

    def answer_to(self, secret: str) -> Answer:
        """What has come of it so far; whoever may come in is told so once. Raises NotNowError where it is over."""
        with self._lock:
            answer = self._of(secret).answer
            if answer in {Answer.COME_IN, Answer.NO}:
                self._knock = None
            return answer

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
        if isinstance(event, Pressed) and self._shown is not None:
            self._press(event.button)
            effects: list[Effect] = []
        else:
            effects = self._handler.handle(event)
        shows = [effect for effect in effects if isinstance(effect, Show)]
        self._behind = shows[-1] if shows else self._behind
        knock = self._visitors.now
        if knock is not None:
            return [*(effect for effect in effects if not isinstance(effect, Show)), *self._announced(knock)]
        if self._shown is not None:
            self._shown = None
            return effects if shows or self._behind is None else [*effects, self._behind]
        return effects

    def _announced(self, knock: Knock) -> list[Effect]:
        screen = knock_screen(Texts(self.settings.language), knock)
        if screen == self._shown:
            return []
        self._shown, self._asked_at = screen, self._now
        return [Show(screen, is_private=True)]

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
    if knock.answer is Answer.PEOPLE:
        keys = (say("visitors.key-yes"), "", "", "", no)
        return Screen(knock.address, say("visitors.may-it"), keys=keys)
    half = _DIGITS // 2
    digits = f"{knock.digits[:half]} {knock.digits[half:]}"
    lines = (say("visitors.type-digits"),)
    return Screen(knock.address, digits, lines, keys=("", "", "", "", no))
