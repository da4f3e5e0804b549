"""Somebody who teaches a deck at the table: knows the cards, reads the small screen, has two hands and five buttons."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from companion.commands.shared.virtual_table import without_pins
from companion.device.virtual_device import VirtualDevice
from companion.games.registry import games
from companion.teaching.face_words import face_in_words, rails_in_words, usual_places
from companion.texts.language import Texts
from companion.virtual.camera import WorldCamera
from companion.virtual.things import EMMA, Place
from companion.virtual.world import World
from hardware.buttons import Button
from tests.companion.device.running import choose, read
from vision.cards import Deck, Face, Kind, Pose
from vision.deck_pictures import DeckPictures
from vision.teaching.face_names import edges_of, ordered_ports

LAYS_SECONDS: Final = 8.0
"""What it takes to take a card away and to lay another one."""
READS_SECONDS: Final = 2.0
PRESSES_SECONDS: Final = 1.0
_VALUES: Final = (Button.ROLL, Button.PASS, Button.UP, Button.DOWN)
_PATIENCE_SECONDS: Final = 120.0
_BARE_PICTURES: Final = 4
_BACK: Final = (130, 80, 60)
"""The colour of the cards' backs (B, G, R)."""
_MIDDLE: Final = Pose(360, 300)


@contextmanager
def teaching_table(folder: Path, strange: DeckPictures, seed: int = 1, **camera: Any) -> Iterator[Owner]:
    """A device that is on, and beside it somebody with cards that it does not know."""
    owners: list[Owner] = []

    def hung_up(world: World, pictures: DeckPictures, *parts: Any) -> WorldCamera:
        # What lies on the table are the cards themselves, whatever the device has learnt of them.
        shown = pictures if pictures is strange else owners[0].real(pictures.deck)
        return WorldCamera(world, shown, *parts, **camera)

    device = VirtualDevice(
        without_pins(), folder, games(), seed=seed, source=Random(seed), strange=strange, camera=hung_up
    )
    owners.append(Owner(device, strange, Random(seed)))
    thread = threading.Thread(target=device.run, daemon=True)
    thread.start()
    try:
        yield owners[0]
    finally:
        device.stop()
        thread.join(60)
    assert not thread.is_alive()
    assert device.failure is None


class Owner:
    """Does what the screen asks for, and counts how often and how long."""

    def __init__(self, device: VirtualDevice, cards: DeckPictures, random: Random) -> None:
        self.device, self.random = device, random
        self.faces = {face.id: replace(face, ports=ordered_ports(face.ports)) for face in cards.deck.faces}
        self._pictures = cards.faces
        self.presses = 0
        self.corrections = 0
        """Presses that were needed because something was offered wrongly."""
        self.seconds = 0.0
        self.answers: list[str] = []
        """What was read of each card before its first press."""
        self.named: dict[str, Face] = {}
        """The cards by the names that they have been given."""
        self.doubts: list[str] = []
        """What was read of cards that should be looked at once more."""
        self.emma: tuple[str, ...] = ()
        """Emma as she was drawn on the screen."""
        self._lying: int | None = None
        self._say = Texts("en")

    def begin(self) -> None:
        """Goes from the list of games to teaching."""
        self.wait(lambda: self.device.screen.choices != ())
        choose(self.device, self._say("lobby.teach"), "")
        self.wait(lambda: self._say("lobby.teach") not in self.device.screen.choices)
        if self.device.screen.lines == (self._say("teaching.go-on"),):
            self.press(Button.ROLL)
        # Nobody is so quick that the camera has not seen the table before.
        self.wait(lambda: self.device.camera is not None and self.device.camera.pictures > _BARE_PICTURES)

    def show(self, face_id: str, *, is_turned: bool | None = None) -> None:
        """Takes away the card that lies there, lays another one, and answers until it is taught."""
        self.lay(face_id, is_turned=is_turned)
        face = self.faces[face_id]
        self.wait(self._is_asked, what=f"{face_id} is not seen")
        self.answers.append(read(self.device))
        while self._is_asked():
            self.seconds += READS_SECONDS
            self._answer(face)

    def lay(self, face_id: str, *, is_turned: bool | None = None) -> None:
        """Takes away the card that lies there and lays another one."""
        self.seconds += LAYS_SECONDS
        self.clear()
        turned = self.random.random() < 0.1 if is_turned is None else is_turned
        pose = _MIDDLE.moved(*(self.random.gauss(0, 12) for _ in range(2)), self.random.gauss(180 * turned, 4))
        world = self.device.world
        self._lying = next(card.number for card in world.cards(Place.AWAY) if card.face == face_id)
        world.place_card(self._lying, pose)

    def show_emma(self) -> None:
        """Puts Emma onto the card that lies there, and says that it is she."""
        (card,) = (card for card in self.device.world.cards(Place.TABLE) if card.number == self._lying)
        self.seconds += LAYS_SECONDS / 2
        self.device.world.place_figure(EMMA, card.pose.moved(*(self.random.gauss(0, 4) for _ in range(2)), 70))
        self.wait(lambda: self.device.screen.main == self._say("teaching.is-emma"), what="Emma is not seen")
        self.seconds += READS_SECONDS
        self.emma = self.device.screen.drawing
        self.press(Button.ROLL)
        self.device.world.take_hold(EMMA, "owner")
        self.device.world.put(EMMA, "owner", Place.AWAY)

    def clear(self) -> None:
        """Takes away the card that lies there."""
        if self._lying is not None:
            self.device.world.put_away(self._lying)
        self._lying = None

    def finish(self) -> None:
        """Has the deck made once all cards are shown, tells how often each occurs if that is asked, and confirms."""
        say = self._say
        self._make()
        if self.device.screen.main != say("teaching.finished"):
            self._count()
        self.answers.append(read(self.device))
        self.press(Button.ROLL)
        self.wait(lambda: self._say("lobby.teach") in self.device.screen.choices)

    def _make(self) -> None:
        """Has the deck made; what was right stays, and a card that was not found is shown again."""
        say = self._say
        self.press(Button.ROLL)
        if self.device.screen.main == say("teaching.put-emma"):
            self.show_emma()
        self.wait(lambda: self.device.screen.heading != say("teaching.title") or bool(self.device.screen.keys[0]))
        while (screen := self.device.screen).main and screen.main != say("teaching.finished"):
            self.seconds += READS_SECONDS
            self.doubts.append(read(self.device))
            if screen.keys[0]:
                self.press(Button.ROLL)
                continue
            self.press(Button.PASS)
            self.show(next(face.id for face in self.faces.values() if face_in_words(say, face) == screen.main))
            self.press(Button.ROLL)
            self.wait(lambda: self.device.screen.heading != say("teaching.title") or bool(self.device.screen.keys[0]))

    def _count(self) -> None:
        """Goes through the list once and tells what is otherwise."""
        say = self._say
        usual = usual_places(self.faces.values())
        counts = {face_in_words(say, face, usual): face.count for face in self.faces.values()}
        for _ in self.device.screen.choices:
            self.seconds += READS_SECONDS
            told, _, face = self.device.screen.choices[self.device.screen.chosen].partition(" × ")
            for _ in range(abs(counts[face] - int(told))):
                self.press(Button.ROLL if counts[face] > int(told) else Button.PASS)
            self.press(Button.DOWN)
        self.press(Button.BACK)
        self.wait(lambda: self.device.screen.main == say("teaching.finished"))

    def real(self, taught: Deck) -> DeckPictures:
        """The cards themselves, under the names that they have been given."""
        self.named = {face.id: min(self.faces.values(), key=partial(_unlike, face)) for face in taught.faces}
        faces = {name: self._pictures[face.id] for name, face in self.named.items()}
        return DeckPictures(taught, faces, np.full_like(next(iter(faces.values())), _BACK))

    def press(self, button: Button) -> None:
        """Presses, and waits until the screen answers."""
        before = self.device.screen
        self.presses += 1
        self.seconds += PRESSES_SECONDS
        self.device.press(button)
        self.wait(lambda: self.device.screen != before, what=f"{button} does nothing")

    def wait(self, until: Callable[[], bool], what: str = "", seconds: float = _PATIENCE_SECONDS) -> None:
        """Waits for what the screen shows."""
        end = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < end, f"{what}: {self.device.screen}"
            time.sleep(0.01)

    def _is_asked(self) -> bool:
        """Whether the screen asks about a card."""
        screen, say = self.device.screen, self._say
        asked = (
            say("teaching.which-value"),
            say("teaching.which-rails"),
            say("teaching.twin", card=""),
            say("teaching.is-right"),
        )
        told = " ".join((screen.heading, screen.main, *screen.lines))
        return any(one.strip("?") in told for one in asked)

    def _answer(self, face: Face) -> None:
        screen, say = self.device.screen, self._say
        if screen.main == say("teaching.which-value"):
            if screen.lines[0] != self._rails(face):
                self.corrections += 1
                self.press(Button.BACK)
            else:
                self.press(_VALUES[face.value - 1])
        elif screen.heading == say("teaching.which-rails"):
            self._choose(self._rails(face))
        elif say("teaching.is-right") in screen.lines:
            self._judge(face)
        else:
            self._choose(say("teaching.twin-broken" if face.kind is Kind.BROKEN else "teaching.twin-other-broken"))

    def _judge(self, face: Face) -> None:
        """Whether what is offered is right; a broken track is told to be one later."""
        say, shown = self._say, self.device.screen.main
        value = f"{face.value}, "
        may_be = {face_in_words(say, face), f"{value}{self._rails(face)}"}
        if shown in may_be:
            self.press(Button.ROLL)
            return
        self.corrections += 1
        self.press(Button.PASS if not shown.startswith(value) else Button.UP)

    def _rails(self, face: Face) -> str:
        return rails_in_words(self._say, face.ports)

    def _choose(self, wanted: str) -> None:
        screen = self.device.screen
        far = (screen.choices.index(wanted) - screen.chosen) % len(screen.choices)
        for _ in range(min(far, len(screen.choices) - far)):
            self.press(Button.DOWN if far <= len(screen.choices) // 2 else Button.UP)
        self.press(Button.ROLL)


def _unlike(one: Face, other: Face) -> tuple[bool, float]:
    """Whether two faces differ in what people tell, and by how many mm their rails leave elsewhere."""
    first, second = ordered_ports(one.ports), ordered_ports(other.ports)
    differs = (one.value, one.kind, edges_of(first)) != (other.value, other.kind, edges_of(second))
    return differs, sum(abs(two.offset_mm - port.offset_mm) for port, two in zip(first, second, strict=False))
