"""How long people wait at the table: from the last card lying still to the answer, from ROLL to the standing dice.

With the real eye, controller, loop, drivers and threads, on the time of the wall: pictures come as from a camera, ROLL
is a pin pulled down, and a screen has come when its bytes are in the memory of the OLED. Run with `make benchmark`.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from random import Random
from typing import Final, NamedTuple

import cv2
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace
from PIL import Image

from companion.device.appliance import Appliance
from companion.games.events import Effect, Show
from companion.games.loknroll.artwork.drawn_deck import drawn_deck
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.robot.pictured_games import Moment, pictured_game, with_hand
from companion.games.loknroll.rules import Game, Lay, Mode, Phase, load_edition, set_up
from companion.games.settings import Settings
from companion.screen import draw
from companion.screen.screen import Screen
from companion.virtual.camera import PICTURE_PX
from hardware.buttons import Button
from hardware.camera import Picture, VirtualCamera
from hardware.devices import Devices, open_devices
from hardware.display import Display
from hardware.display.oled_memory import OledMemory
from hardware.settings import load_settings
from tests.companion.device.pin_fingers import PinFingers
from vision.deck_pictures import DeckPictures
from vision.reading.reader import Reader
from vision.rendering import Renderer
from vision.rendering.conditions import Conditions, draw_conditions
from vision.watching.steady_view import SteadyView, Still
from vision.watching.table_eye import TableEye
from vision.watching.table_reading import TableReading

SIZES: Final = (PICTURE_PX, (1640, 1232))
TURNS: Final = 6
PICTURES_PER_SECOND: Final = 10
HAND_SECONDS: Final = 0.6
MOST_SECONDS: Final = 30.0
SLOWER: Final = (5, 8)
"""How much slower a Raspberry Pi Zero 2 W is than a core of a usual machine, about."""
WIRE_BYTES_PER_MS: Final = 400 / 9


class Turn(NamedTuple):
    """A game in which somebody is about to lay a card, and the table after it, with the new card as its last one."""

    game: Game
    laid: Moment


class Stage:
    """A camera above a table on which the scene is changed: all its pictures are taken beforehand."""

    def __init__(self, pictures: list[Picture]) -> None:
        """``pictures`` come in turn, again and again."""
        self.first_seen: float | None = None
        self._pictures = pictures
        self._at = 0
        self._next = 0.0

    def change(self, pictures: list[Picture]) -> None:
        """From the next picture on the camera sees this."""
        self.first_seen, self._pictures = None, pictures

    def read(self) -> Picture:
        """The next picture, when it is time for it."""
        time.sleep(max(0.0, self._next - time.monotonic()))
        pictures = self._pictures
        self._next = time.monotonic() + 1 / PICTURES_PER_SECOND
        self._at += 1
        if self.first_seen is None:
            self.first_seen = time.monotonic()
        return pictures[self._at % len(pictures)]


class ClockedDisplay:
    """A display that says when its driver had sent each image."""

    def __init__(self, display: Display) -> None:
        self.sent: list[tuple[float, bytes]] = []
        self._display = display

    def show(self, image: Image.Image) -> None:
        """Shows it, and notes when that was done."""
        self._display.show(image)
        self.sent.append((time.monotonic(), image.tobytes()))

    def contrast(self, level: int) -> None:
        """As the display."""
        self._display.contrast(level)

    def close(self) -> None:
        """As the display."""
        self._display.close()


class Look(NamedTuple):
    """A look of the eye: when it ended, how long the processor was at work for it (s), and what it saw."""

    at_seconds: float
    processor: float
    reading: TableReading


class ClockedEye:
    """An eye that remembers how long its looks took."""

    def __init__(self, eye: TableEye) -> None:
        self.looks: list[Look] = []
        self._eye = eye

    def look(self, picture: Picture, expected: Collection[str], still: Still) -> TableReading:
        """As the eye."""
        began = time.thread_time()
        reading = self._eye.look(picture, expected, still)
        self.looks.append(Look(time.monotonic(), time.thread_time() - began, reading))
        return reading


class Wait(NamedTuple):
    """How long somebody waited, and for how long of that the processor had to be at work, in seconds.

    What it did besides is not counted: looks at pictures that nobody waited for.
    """

    wall: float
    processor: float


class Table:
    """An appliance that plays one turn."""

    def __init__(self, turn: Turn, pictures: DeckPictures, eye: TableEye, conditions: Conditions) -> None:
        self._turn = turn
        self._eye = ClockedEye(eye)
        self._conditions = conditions
        deck, faces, back, *_ = pictures
        self._renderer = Renderer(conditions.camera, conditions.tabletop, faces, back, deck.card_mm)
        scene = turn.laid.scene
        self.stage = Stage([self._photograph(replace(scene, cards=scene.cards[:-1]), seed) for seed in range(2)])
        self.memory = OledMemory()
        self.screens: list[Screen] = []
        pins, settings = MockFactory(), load_settings()
        settings = replace(settings, camera=replace(settings.camera, kind="none"))
        opened = open_devices(settings, bus=self.memory, pins=pins)
        self.display = ClockedDisplay(opened.display)
        self.devices: Devices = opened._replace(display=self.display, camera=VirtualCamera(self.stage.read))
        self.fingers = PinFingers(settings, pins, time.monotonic)
        controller = Controller(turn.game, Settings(), source=Random(1))
        self.appliance = Appliance(controller, self.devices, self._eye, mirrors=(self._note,))
        self._ends = threading.Event()

    def _photograph(self, scene: object, seed: int) -> Picture:
        light, sensor = self._conditions.light, self._conditions.sensor
        return self._renderer.photograph(scene, light, sensor, seed).picture  # type: ignore[arg-type]

    def _note(self, effect: Effect) -> None:
        if isinstance(effect, Show):
            self.screens.append(effect.screen)

    def play(self) -> tuple[Wait, Wait, int]:
        """Lays the card and rolls; how long the answer and the dice took, and the bytes sent for the answer."""
        laid = self._turn.laid
        hand = [self._photograph(with_hand(laid, Random(1)), 3)]
        still = [self._photograph(laid.scene, seed) for seed in range(4, 6)]
        with self._running():
            self._await_still(len(laid.scene.cards) - 1)
            self.stage.change(hand)
            time.sleep(HAND_SECONDS)
            sent, busy = self.memory.bytes_sent, time.process_time()
            self.stage.change(still)
            answered = self._await(lambda screen: "Derailing" in " ".join(screen.lines))
            busy = time.process_time() - busy
            sent = self.memory.bytes_sent - sent
            answer = self._waited(self.stage.first_seen or answered, answered, busy, len(laid.scene.cards))
            time.sleep(0.5)
            pressed, busy = time.monotonic(), time.process_time()
            self.fingers.press(Button.ROLL)
            time.sleep(0.1)
            self.fingers.let_go()
            stood = self._await(lambda screen: bool(screen.dice) and not screen.tumbling)
            return answer, self._waited(pressed, stood, time.process_time() - busy, 0), sent

    def _waited(self, since: float, until: float, busy: float, cards: int) -> Wait:
        """The looks up to the one by which the table is still with so many cards are waited for, the others are not."""
        looks = [look for look in self._eye.looks if since <= look.at_seconds <= until]
        known = [look.reading.is_still and len(look.reading.cards) == cards for look in looks]
        needed = known.index(True) + 1 if True in known else 0
        return Wait(until - since, busy - sum(look.processor for look in looks[needed:]))

    @contextmanager
    def _running(self) -> Iterator[None]:
        thread = threading.Thread(target=self.appliance.run, args=(self._ends.is_set,))
        thread.start()
        try:
            yield
        finally:
            self._ends.set()
            thread.join()
            self.devices.close()

    def _await_still(self, cards: int) -> None:
        """Until the table before the turn has been read: the first look takes longer than all others."""
        until = time.monotonic() + MOST_SECONDS
        while time.monotonic() < until:
            if self._eye.looks:
                reading = self._eye.looks[-1].reading
                if reading.is_still and len(reading.cards) == cards:
                    time.sleep(1.0)
                    return
            time.sleep(0.05)
        raise SystemExit(f"The table was not read within {MOST_SECONDS:.0f} s.")

    def _await(self, is_it: Callable[[Screen], bool]) -> float:
        """When the screen was in the display's memory that is like this."""
        until = time.monotonic() + MOST_SECONDS
        while time.monotonic() < until:
            if self.screens and is_it(self.screens[-1]):
                dots = draw(self.screens[-1]).tobytes()
                for at_seconds, sent in reversed(self.display.sent):
                    if sent == dots:
                        assert self.memory.image().tobytes() == dots
                        return at_seconds
            time.sleep(0.005)
        raise SystemExit(f"No answer within {MOST_SECONDS:.0f} s; the screen: {self.screens[-1:]}")


def turns(pictures: DeckPictures) -> list[Turn]:
    """Some turns of a game of two, each just before a card is laid."""
    start = set_up(load_edition("german"), pictures.deck, Mode.TWO, ["Ann", "Ben"])
    source, moments = pictured_game(start, Random(8))
    laid = iter(moment for moment in moments if moment.why == "laid")
    found, game = [], Game(start)
    for step in source.steps:
        if isinstance(step, Lay):
            moment = next(laid)
            if game.state.phase is Phase.ACTING and len(game.state.railway) > 3:
                found.append(Turn(_copied(game), moment))
        game.do(step)
    return found[:: max(1, len(found) // TURNS)][:TURNS]


def _copied(game: Game) -> Game:
    copy = Game(game.states[0])
    for step in game.steps:
        copy.do(step)
    return copy


def tell(what: str, waits: list[Wait], bar: float) -> None:
    """The figures of a size."""
    walls, busy = [wait.wall for wait in waits], statistics.median(wait.processor for wait in waits)
    idle = max(0.0, statistics.median(walls) - busy)
    slow = " to ".join(f"{idle + factor * busy:.1f}" for factor in SLOWER)
    print(
        f"  {what}: median {statistics.median(walls):.2f} s, longest {max(walls):.2f} s (bar {bar:.0f} s);"
        f" the processor {busy:.2f} s; on a Pi Zero 2 W about {slow} s; each {[round(wall, 2) for wall in walls]}"
    )


def main() -> None:
    """Prints the figures."""
    cv2.setNumThreads(1)
    pictures = drawn_deck(load_edition("german").deck, 6.0)
    for size in SIZES:
        conditions = draw_conditions("normal", Random(3), size)
        answers, dice, sent = [], [], []
        for turn in turns(pictures):
            reader = Reader(pictures.deck, pictures.faces, pictures.back)
            view = SteadyView(reader, reader.emma_finder, pictures_to_be_still=2)
            table = Table(turn, pictures, TableEye(pictures.deck, view), conditions)
            answer, stood, count = table.play()
            answers.append(answer)
            dice.append(stood)
            sent.append(count)
        cards = [len(turn.laid.scene.cards) for turn in turns(pictures)]
        print(f"{size[0]} x {size[1]}, {PICTURES_PER_SECOND} pictures a second, {min(cards)} to {max(cards)} cards:")
        tell("last card still -> answer in the screen's memory", answers, 1.0)
        tell("ROLL -> standing dice in the screen's memory", dice, 1.0)
        print(
            f"  sent for the answer: {max(sent)} bytes, {max(sent) / WIRE_BYTES_PER_MS:.0f} ms on the wire at 400 kHz"
        )


if __name__ == "__main__":
    main()
