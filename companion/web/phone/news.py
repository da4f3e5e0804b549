"""What phones are told: what is on the screen, how the game stands, and sounds, each as JSON made once for all."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.device.appliance import TUNES
from companion.games.events import Effect, Show, Sound
from companion.screen.screen import Screen

if TYPE_CHECKING:
    from companion.device.session import Session
    from companion.games.game import Play, Present

_LOOK_SECONDS: Final = 0.25
"""So often is looked how the game stands where nothing new came onto the screen."""
_log = logging.getLogger(__name__)
TOPICS: Final = ("facts", "present", "screen", "sound")


class SessionNews:
    """The newest of each topic, with a number that grows. Told in the session's thread, asked from any."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ring: Callable[[], None] = lambda: None
        self._lock = threading.Lock()
        self._told: dict[str, object] = {"facts": {}, "present": None, "screen": Screen(), "sound": None}
        self._numbers = dict.fromkeys(TOPICS, 0)
        self._texts: dict[str, tuple[int, str]] = {}
        self._looked_at = float("-inf")
        self._present_of: tuple[Play, Present, dict[str, Any]] | None = None
        self._has_failed = False
        session.mirror(self._note, self._turned)

    def listen(self, ring: Callable[[], None]) -> None:
        """From now on this is called when there is something new."""
        self._ring = ring

    def since(self, known: dict[str, int]) -> list[str]:
        """What is newer than what somebody knows; their numbers are brought up to date."""
        with self._lock:
            # A sound that was made before somebody came is over.
            known.setdefault("sound", self._numbers["sound"])
            told = [self._text(topic) for topic in TOPICS if known.get(topic) != self._numbers[topic]]
            known.update(self._numbers)
        return told

    def _text(self, topic: str) -> str:
        number, text = self._texts.get(topic, (-1, ""))
        if number != self._numbers[topic]:
            text = msgspec.json.encode({"type": topic, topic: self._told[topic]}).decode()
            self._texts[topic] = (self._numbers[topic], text)
        return text

    def _note(self, effect: Effect) -> None:
        match effect:
            case Show(screen=screen, is_private=False):
                self._tell("screen", screen)
                self._look()
            case Show():
                # Six digits that only those at the table shall see.
                self._tell("screen", Screen())
            case Sound(name=name):
                self._tell("sound", [(tone.hertz, tone.seconds) for tone in TUNES[name]])
            case _:
                return
        self._ring()

    def _turned(self) -> None:
        """What happens may leave the screen as it is, as where a card of the railway was another one."""
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_SECONDS and self._look():
            self._ring()

    def _look(self) -> bool:
        """Tells how it stands; says whether that is new."""
        self._looked_at = time.monotonic()
        try:
            facts, present = self._facts(), self._present()
        except Exception:  # noqa: BLE001 - whatever it is, the next look may go well
            # In the thread that plays: what a page cannot be told must not end the game.
            if not self._has_failed:
                _log.exception("phones are not told how it stands: the program has made a mistake")
            self._has_failed = True
            return False
        return any([self._tell("facts", facts), self._tell("present", present)])

    def _facts(self) -> dict[str, Any]:
        handler, play = self._session.handler, self._session.play
        if handler is None:
            return {}
        if play is None or play is not handler:
            return dict(handler.facts())
        about = {"room": "game", "game": play.game, "kind": play.kind, "players": list(play.seats.names)}
        return {**about, **play.facts()}

    def _present(self) -> dict[str, Any] | None:
        """What may be tapped, and as what it may be corrected."""
        play = self._session.play
        if play is None or play is not self._session.handler:
            return None
        present = play.present()
        before = self._present_of
        if before is None or before[:2] != (play, present):
            # Which faces a card may have is looked up only where the game has gone on: that takes time.
            cards = [{**card._asdict(), "may": play.corrections(card.card)} for card in present.cards]
            told = {**present._asdict(), "cards": cards}
            self._present_of = before = play, present, told
        return before[2]

    def _tell(self, topic: str, told: object) -> bool:
        """Keeps what is new; says whether it is."""
        with self._lock:
            is_new = topic == "sound" or told != self._told[topic]
            if is_new:
                self._told[topic] = told
                self._numbers[topic] += 1
        return is_new
