"""A toy game that knows the companion through the seam alone: cards of rising number, one button, a die.

Each card that is laid must be higher than the one before. ROLL ends the game: the die counts with the highest card.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.dice.box import KINDS
from companion.games.events import Changed, Effect, Event, Kept, Leave, Pressed, Seen, Show
from companion.games.game import Chapter, Clause, Offer, Present, Seats, Standing
from companion.games.recorded_game import BrokenRule, Line, Moment, Rolled, Summary, Tone
from companion.games.settings import Settings
from companion.record.file import RecordError, Recording, RecordWriter
from companion.screen.screen import Screen
from companion.virtual.things import Place
from hardware.buttons import Button
from vision.cards import Deck, Face, Kind, Pose
from vision.deck_pictures import DeckPictures

NUMBERS = range(1, 7)
RULES = [Chapter("Rising", [Clause("RISE1", "Each card is higher than the one before.")])]


class State:
    """The cards laid so far and the die, 0 before it is rolled."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []

    @property
    def cards(self) -> list[int]:
        return [step["card"] for step in self.steps if step["step"] == "lay"]

    @property
    def die(self) -> int:
        return sum(step["die"] for step in self.steps if step["step"] == "roll")

    def refusal(self, step: dict[str, Any]) -> str:
        """Why a step cannot be; "" where it can."""
        if step["step"] == "take-back":
            return "" if self.steps else "nothing to take back"
        if self.die:
            return "it is over"
        return (
            f"{step['card']} is not higher"
            if step["step"] == "lay" and step["card"] <= max(self.cards, default=0)
            else ""
        )

    def do(self, step: dict[str, Any]) -> None:
        self.steps = self.steps[:-1] if step["step"] == "take-back" else [*self.steps, step]

    def facts(self) -> dict[str, Any]:
        return {"cards": self.cards, "die": self.die, "points": max(self.cards, default=0) + self.die}


class Play:
    """The game on the disk."""

    game, kind, seats, held_buttons = "rising", "alone", Seats(("Ann",), 1), ()
    deck = property(lambda _: _pictures().deck)

    def __init__(self, state: State, writer: RecordWriter, settings: Settings, source: Any) -> None:
        self.state, self.settings, self._writer, self._source = state, settings, writer, source
        self._dealt: set[int] = set()
        self._told, self._shown = "", Screen()

    is_over = property(lambda self: bool(self.state.die))
    is_set_up = property(lambda self: bool(self.state.steps))
    expected_faces = property(lambda self: {str(n) for n in NUMBERS if n > max(self.state.cards, default=0)})

    def handle(self, event: Event) -> list[Effect]:
        match event:
            case Seen(reading=reading) if reading.is_still and not reading.hand:
                for card in reading.cards:
                    if card.serial not in self._dealt:
                        self._dealt.add(card.serial)
                        self._do({"step": "lay", "card": int(card.face)})
            case Pressed(button=Button.ROLL) if self.is_over:
                return [Leave("new-game")]
            case Pressed(button=Button.PASS) if self.is_over:
                return [Leave("again")]
            case Pressed(button=Button.ROLL):
                self._do({"step": "roll", "die": 1 + self._source.randrange(6)})
            case Pressed(button=Button.BACK):
                self._do({"step": "take-back"})
            case Changed(change=change):
                self.settings = change.of(self.settings)
                return [Kept(self.settings)]
        shown = Screen(
            heading="RISING",
            main=f"{self.state.cards} {self.state.die}",
            lines=(self._told,),
            keys=("roll", "", "", "", "back"),
        )
        effects: list[Effect] = [Show(shown)] if shown != self._shown else []
        self._shown = shown
        return effects

    def _do(self, step: dict[str, Any]) -> None:
        self._told = self.state.refusal(step)
        if not self._told:
            self._writer.append(step)
            self.state.do(step)

    def facts(self) -> dict[str, Any]:
        return self.state.facts()

    def drawing(self, name: str) -> str:
        return ""

    def called(self, language: str) -> dict[str, str]:
        return {}

    def present(self) -> Present:
        return Present(str(self.state.steps))

    def corrections(self, card: int) -> list[str]:
        return []

    def rules(self, language: str) -> list[Chapter]:
        return RULES

    def close(self) -> None:
        self._writer.close()


class Robot:
    """Lays what is higher from the pile, and rolls when nothing is."""

    def __init__(self, play: Play, hands: Any, press: Any) -> None:
        self._play, self._hands, self._press, self._ready_at = play, hands, press, 0.0

    def act(self, now: float) -> None:
        counted, world = len(self._play.state.cards), self._hands.world
        if now < self._ready_at or self._play.is_over or len(world.cards(Place.TABLE)) > counted:
            return
        self._ready_at = now + 1.0
        pile = sorted(world.cards(Place.PILE), key=lambda card: card.face)
        higher = [card.number for card in pile if card.face in self._play.expected_faces]
        if higher and counted < 3:
            self._hands.lay(higher[0], Pose(150.0 + 110 * counted, 300.0))
        elif self._press is not None:
            self._press(Button.ROLL)

    def hand_in_words(self) -> list[str]:
        return []

    def lay(self, number: int) -> bool:
        return False


class Rising:
    """The game (``companion.games.game.Game``)."""

    name, title, deck_sizes, book = "rising", "RISING", {len(NUMBERS)}, None

    def kinds(self, settings: Settings) -> dict[str, str]:
        return {"alone": "Rising, alone"}

    def offers(self, settings: Settings, deck: Any) -> list[Offer]:
        return [Offer(self.name, "alone", "Rising, alone")]

    def rules(self, settings: Settings, deck: Any) -> list[Chapter]:
        return RULES

    def options(self, settings: Settings, deck: Any) -> list[Any]:
        return []

    def pictures(self, settings: Settings, played: Deck | None = None) -> DeckPictures:
        return _pictures()

    def eyes(self, pictures: DeckPictures) -> Any:
        from companion.games.loknroll.game import GAME

        return GAME.eyes(pictures)

    def begin(self, kind: str, keep: Any, settings: Settings, deck: Any, source: Any) -> Play:
        header = {"game": self.name, "id": secrets.token_hex(4)}
        return Play(State(), RecordWriter.create(keep.record, header, keep.clock), settings, source)

    def resume(self, keep: Any, settings: Settings, source: Any) -> Play:
        writer, recording = RecordWriter.resume(keep.record, keep.clock)
        state = State()
        for _ in _replayed(keep.record, recording, state):
            pass
        return Play(state, writer, settings, source)

    def standing(self, path: Path, recording: Recording) -> Standing:
        state = State()
        for _ in _replayed(path, recording, state):
            pass
        return Standing("alone", bool(state.die))

    def told(self, path: Path, recording: Recording, language: str) -> Iterator[Moment]:
        state = State()
        yield Moment([Line(Tone.HEADING, self.title)], {})
        for step in _replayed(path, recording, state):
            yield Moment([Line(Tone.EVENT, str(state.facts()))], step)
        yield Moment([], state.facts())

    def summary(self, path: Path, recording: Recording) -> Summary:
        state = State()
        for _ in _replayed(path, recording, state):
            pass
        return Summary("alone", ("Ann",), 1, bool(state.die), (state.facts()["points"],) if state.die else ())

    def rolls(self, recording: Recording) -> Iterator[Rolled]:
        yield Rolled(KINDS["d6"], tuple(step["die"] for step in recording.lines if step["step"] == "roll"))

    def picture(self, path: Path, recording: Recording, moment: int | None = None) -> str:
        return ""

    def face(self, path: Path, recording: Recording, name: str) -> str:
        return ""

    def gallery(self, language: str) -> Iterator[tuple[str, Screen]]:
        yield "rising", Screen(heading=self.title)

    def lay_out(self, play: Play, world: Any, seed: int) -> None:
        world.begin(_pictures().deck, play.seats.names, 1, seed)

    def deal(self, play: Play, world: Any) -> None:
        world.deal(0, 0)

    def robot(self, play: Play, hands: Any, seed: int, press: Any, pace: Any) -> Robot:
        return Robot(play, hands, press)


GAME = Rising()


def _replayed(path: Path, recording: Recording, state: State) -> Iterator[dict[str, Any]]:
    for number, step in enumerate(recording.lines, start=2):
        if reason := state.refusal(step):
            raise BrokenRule(path, reason, number, "RISE1")
        state.do(step)
        yield step
    if not recording.header.get("id"):
        raise RecordError(path, "no id")


@cache
def _pictures() -> DeckPictures:
    """Faces that an eye can tell apart: blots and a large number on pale ground."""
    faces = {}
    for number in NUMBERS:
        random, face = Random(number), np.full((352, 252, 3), 235, np.uint8)
        for _ in range(60):
            centre = (random.randrange(12, 240), random.randrange(12, 340))
            cv2.circle(face, centre, random.randrange(4, 16), [random.randrange(200) for _ in range(3)], -1)
        cv2.putText(face, str(number), (60, 250), cv2.FONT_HERSHEY_SIMPLEX, 7, (20, 20, 20), 24)
        faces[str(number)] = face
    deck = Deck("rising", tuple(Face(str(n), n, Kind.CHAOS, 1) for n in NUMBERS))
    return DeckPictures(deck, faces, np.full((352, 252, 3), 90, np.uint8))
