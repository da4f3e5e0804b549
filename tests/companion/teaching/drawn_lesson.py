"""Photographs of a drawn deck's cards, and what somebody presses to teach them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.games.events import Effect, Pressed, Tick
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.teaching.lesson import CardFacts, Lesson, Photographed
from companion.teaching.steps import Learning
from companion.teaching.taught_deck import TaughtDeck
from companion.teaching.teaching import Teaching
from companion.teaching.teaching_eyes import CardShown, News, TeachingEyes
from hardware.buttons import Button
from tests.vision.teaching import drawn_deck
from vision.arrays import Picture
from vision.cards import Face
from vision.teaching.face_names import ordered_ports
from vision.teaching.lone_card import LoneCard
from vision.teaching.taught_faces import cut_out
from vision.teaching.told_faces import FaceGuess

FACES = {face.id: face for face in drawn_deck.faces()}
SIZES = {55}
_PICTURE_PX = (640, 480)
_CORNER_PX = (200, 100)
_TABLE = (60, 90, 50)


def photographed(face: Face, seed: int = 0) -> Photographed:
    """A card on a table."""
    drawn = drawn_deck.cut_out(face, seed)
    random = np.random.default_rng(seed)
    noisy = random.normal(_TABLE, 4, (*_PICTURE_PX[::-1], 3))
    (left, top), (height, width) = _CORNER_PX + random.integers(-20, 20, 2), drawn.shape[:2]
    noisy[top : top + height, left : left + width] = drawn
    picture: Picture = np.asarray(noisy.clip(0, 255), np.uint8)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) + np.array([left, top]) - 0.5
    card = LoneCard(corners, 1.0)
    return Photographed(cv2.imencode(".jpg", picture)[1].tobytes(), card, cut_out(picture, card))


def facts(name: str) -> CardFacts:
    """What a card of the drawn deck is."""
    face = FACES[name]
    return CardFacts(face.value, face.kind, ordered_ports(face.ports))


class Desk:
    """A lesson at which somebody sits."""

    def __init__(self, folder: Path, *names: str) -> None:
        """These cards have been taught before."""
        self.lesson = Lesson(folder / "lesson")
        for name in names:
            self.lesson.add(photographed(FACES[name]), facts(name))
        self.eyes = TeachingEyes(self.lesson, "own")
        self.decks: list[TaughtDeck] = []
        self.teaching = Teaching(Settings(), self.lesson, self.eyes, SIZES, self.decks.append)
        self.effects: list[Effect] = []
        if names:
            self.press(Button.ROLL)

    @property
    def screen(self) -> Screen:
        return self.teaching.screen()

    @property
    def taught(self) -> list[CardFacts]:
        """What has been taught so far."""
        return [card.facts for card in self.lesson.cards]

    def press(self, *buttons: Button) -> None:
        self.effects = [effect for button in buttons for effect in self.teaching.handle(Pressed(button))]

    def learn(self) -> None:
        """The deck is being made, of however few cards."""
        self.teaching.step = Learning()

    def tell(self, news: News) -> None:
        """Something comes of what the camera sees."""
        self.eyes.tell(news)
        self.effects = self.teaching.handle(Tick(0.0))

    def show(
        self,
        name: str,
        guessed: CardFacts | None = None,
        *,
        value: int | None = 0,
        same: int | None = None,
        are_ports_clear: bool = True,
    ) -> None:
        """A card is found that seems to be what it is, or this; ``value`` 0 is that of the guess."""
        seems = guessed or facts(name)
        told = seems.value if value == 0 else value
        places = {port.edge: port.offset_mm for port in drawn_deck.PORTS.values()}
        guess = FaceGuess(
            seems.ports,
            are_ports_clear=are_ports_clear,
            value=told,
            is_turned=seems.is_turned,
            same=same,
            places=places,
        )
        self.tell(CardShown(photographed(FACES[name]), guess))
