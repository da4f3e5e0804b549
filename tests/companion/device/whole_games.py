"""Whole games through pins, pixels and the memory of the OLED screen, and what must be true of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

import cv2
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from companion.device.appliance import begun
from companion.device.virtual_game import VirtualGame
from companion.games.loknroll.rules import (
    Begin,
    Discard,
    Draw,
    Edition,
    Game,
    Lay,
    LayOpen,
    Mode,
    Phase,
    SetAside,
    StartCard,
    load_edition,
    set_up,
)
from companion.games.settings import Settings
from companion.screen import draw
from companion.virtual.camera import PICTURE_PX, WorldCamera
from companion.virtual.clock import TableClock
from companion.virtual.disturbances import Mishaps
from companion.virtual.things import Card, Place
from companion.virtual.world import World
from hardware.settings import load_settings
from tests.companion.device.pin_fingers import PinFingers
from vision.deck_pictures import DeckPictures
from vision.rendering.conditions import Difficulty

PERSONS = ("Ann", "Ben", "Cleo", "Dan")


class Played(NamedTuple):
    """A game that is over, the deck's seed, and what was pressed and had to be repeated."""

    virtual: VirtualGame
    seed: int
    presses: Counter[tuple[Phase, str]]

    @property
    def game(self) -> Game:
        return self.virtual.controller.game


def short_edition(mode: Mode, drawn: int, hand_cards: int) -> Edition:
    """The usual game, but most cards are removed: so many are left to draw, besides cards set aside."""
    edition = load_edition("german")
    removed = edition.cards - edition.start_cards - mode.persons * hand_cards - drawn
    return replace(edition, removed={mode: removed}, hand_cards=hand_cards)


def play_whole_game(
    folder: Path,
    pictures: DeckPictures,
    mode: Mode,
    seed: int,
    *,
    language: str = "en",
    drawn: int | None = None,
    hand_cards: int = 1,
    has_hands: bool = False,
    size: tuple[int, int] = PICTURE_PX,
    difficulty: Difficulty = "easy",
    mishaps: Mishaps | None = None,
    people_place: bool = False,
    evidence: Path | None = None,
) -> Played:
    """Plays a game, a short one where ``drawn`` says how many cards are left to draw; raises RobotError.

    With hands a change counts when two pictures show it, as on the device. What the camera saw, and the companion made
    of it, when the robot had to do something twice is kept in the folder ``evidence``.
    """
    edition = load_edition("german") if drawn is None else short_edition(mode, drawn, hand_cards)
    start = set_up(edition, pictures.deck, mode, PERSONS[: mode.persons])
    chosen = Settings(language=language, people_place=people_place)
    recorded = begun(folder / f"{mode}-{language}-{seed}.jsonl", start, chosen, Random(seed))
    settings, pins = load_settings(), MockFactory()
    settings = replace(settings, camera=replace(settings.camera, kind="none"))
    clock = TableClock(is_hurried=True)
    camera = WorldCamera(
        World(clock),
        pictures,
        clock,
        Random(seed),
        difficulty=difficulty,
        size=size,
        has_hands=has_hands,
        mishaps=mishaps,
    )
    fingers = PinFingers(settings, pins, clock)
    still = 2 if has_hands else 1
    virtual = VirtualGame(
        recorded,
        pictures,
        settings,
        seed,
        pins=pins,
        press=fingers.press,
        camera=camera,
        pictures_to_be_still=still,
    )

    repeats = 0

    def lift() -> bool:
        nonlocal repeats
        fingers.lift()
        if evidence is not None and virtual.robot.repeats > repeats:
            repeats = virtual.robot.repeats
            keep_evidence(evidence / f"{mode}-{seed}-{camera.pictures}", virtual)
        return False

    try:
        virtual.run(lift)
    except BaseException as error:
        error.add_note(f"The screen: {virtual.screen.main} {virtual.screen.lines}; before: {virtual.alerts[-3:]}")
        virtual.devices.close()
        raise
    finally:
        recorded.journal.close()
    return Played(virtual, seed, Counter((phase, str(button)) for phase, button in virtual.robot.presses_made))


def keep_evidence(path: Path, virtual: VirtualGame) -> None:
    """What the camera sees, and what the companion makes of it, goes to a picture and a text of this name."""
    desk = virtual.controller.desk
    cv2.imwrite(f"{path}.png", virtual.camera.last_picture)
    known = (virtual.screen, desk.dialog, desk.state.phase, desk.memory.reading)
    Path(f"{path}.txt").write_text("\n\n".join(map(str, known)), "utf-8")


def check_cards(played: Played) -> None:
    """Every card that was drawn, laid or shown is in the record as what it was: the same deck is dealt once more."""
    game = Game(played.game.states[0])
    setup, world = game.state.setup, World(lambda: 0.0)
    world.begin(setup.deck, setup.names, setup.mode.persons, played.seed)
    for step in played.game.steps:
        before = game.state
        match step:
            case StartCard(face=face) | SetAside(face=face) | Draw(face=str(face)):
                place = Place.AWAY if isinstance(step, SetAside) else Place.BOX
                take(world, world.cards(Place.PILE)[-1:], face, place)
            case Begin():
                world.deal(setup.edition.removed[setup.mode], setup.edition.hand_cards)
            case Draw():
                world.draw(before.active)
            case Lay(face=face) | Discard(face=face) if before.is_automatons_turn:
                assert before.drawn is not None
                assert before.drawn.id == face
            case Lay(face=face) | Discard(face=face):
                take(world, world.cards(Place.HAND, before.active), face, Place.BOX)
            case LayOpen(player=player, faces=faces):
                assert sorted(faces) == sorted(card.face for card in world.cards(Place.HAND, player))
            case _:
                pass
        game.do(step)
    assert game.state == played.game.state


def take(world: World, cards: list[Card], face: str, place: Place) -> None:
    """Takes the one of these cards that was read as this face."""
    numbers = [card.number for card in cards if card.face == face]
    assert numbers, f"one of {[card.face for card in cards]} was read as {face}"
    world.put_away(numbers[0], place)


def check_end(played: Played) -> None:
    """The game is over, nothing was done twice, and the screen's memory holds the last screen."""
    assert played.game.state.phase is Phase.OVER, played.game.state.phase
    assert played.virtual.robot.repeats == 0, f"{played.virtual.robot.repeats} things had to be done twice"
    expected, seen = draw(played.virtual.screen), played.virtual.memory.image()
    assert seen.tobytes() == expected.tobytes()
