"""Whole games through pins, pixels and the memory of the OLED screen, and what must be true of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import cv2
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from companion.device.virtual_device import VirtualDevice
from companion.games.game import RobotError
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.record.recorded_game import start_recorded
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
from companion.games.loknroll.settings import with_own
from companion.games.registry import games
from companion.games.settings import Settings
from companion.screen import draw
from companion.screen.screen import Screen
from companion.virtual.camera import PICTURE_PX, WorldCamera
from companion.virtual.clock import TableClock
from companion.virtual.disturbances import Mishaps
from companion.virtual.things import Card, Place
from companion.virtual.world import World
from hardware.settings import load_settings
from tests.companion.device.pin_fingers import PinFingers
from vision.deck_pictures import DeckPictures
from vision.rendering.conditions import Difficulty

_PICTURES_AT_THE_END = 3
_MOST_PICTURES_AT_THE_END = 60
"""Longer than a cable of the screen is out, and more than its driver needs beside all else that runs."""
PERSONS = ("Ann", "Ben", "Cleo", "Dan")


class Played(NamedTuple):
    """A game that is over, the deck's seed, what was pressed, and what the screen's memory held in the end."""

    device: VirtualDevice
    seed: int
    repeats: int
    presses: Counter[tuple[Phase, str]]
    last_screen: Screen
    last_dots: bytes

    @property
    def game(self) -> Game:
        return controller_of(self.device).game


def controller_of(device: VirtualDevice) -> Controller:
    """What leads through the game on a virtual device."""
    return device.play.controller


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

    What the camera saw, and the companion made
    of it, when the robot had to do something twice is kept in the folder ``evidence``.
    """
    edition = load_edition("german") if drawn is None else short_edition(mode, drawn, hand_cards)
    start = set_up(edition, pictures.deck, mode, PERSONS[: mode.persons])
    folder /= f"{mode}-{language}-{seed}"
    folder.mkdir()
    # A game of an edition that is not among the offers has just been begun, and goes on.
    start_recorded(folder / "game.jsonl", start)[1].close()
    camera = partial(WorldCamera, difficulty=difficulty, size=size, has_hands=has_hands, mishaps=mishaps)
    device, fingers = pinned_device(folder, seed, camera, pictures)
    device.kept.settings = with_own(Settings(language=language), people_place=people_place)
    kept = None if evidence is None else partial(keep_evidence, evidence, f"{mode}-{seed}")
    player, *last = run_to_the_end(device, fingers, kept)
    presses = Counter((phase, str(button)) for phase, button in player.presses_made)
    return Played(device, seed, player.repeats, presses, *last)


def pinned_device(
    folder: Path,
    seed: int,
    camera: Callable[[World, DeckPictures, TableClock, Random], WorldCamera],
    pictures: DeckPictures | None = None,
) -> tuple[VirtualDevice, PinFingers]:
    """A virtual device whose buttons are pins, and the fingers on them: a robot plays at once, as quick as it can."""
    settings, pins = load_settings(), MockFactory()
    settings = replace(settings, camera=replace(settings.camera, kind="none"))
    fingers = PinFingers(settings, pins)
    device = VirtualDevice(
        settings,
        folder,
        games(),
        pictures,
        seed=seed,
        source=Random(seed),
        camera=camera,
        pins=pins,
        press=fingers.press,
    )
    fingers.clock = device.clock
    device.let_robot_play("fast")
    return device, fingers


def run_to_the_end(
    device: VirtualDevice,
    fingers: PinFingers,
    repeated: Callable[[VirtualDevice], None] | None = None,
    on_turn: Callable[[VirtualDevice], None] = lambda _: None,
) -> tuple[Any, Screen, bytes]:
    """Lets the robot play to the end; raises RobotError.

    Returns the robot, the last screen, and what the screen's memory held then. ``repeated`` is told when the robot
    had to do something twice, ``on_turn`` each turn of the loop.
    """
    repeats, over_at, last, player = 0, None, (Screen(), b""), None

    def turn() -> None:
        nonlocal repeats, over_at, last, player
        fingers.lift()
        on_turn(device)
        robot, play = device.robot, device.play
        player = robot or player  # it leaves when the game is over
        if repeated is not None and robot is not None and robot.repeats > repeats:
            repeats = robot.repeats
            repeated(device)
        if play is not None and play.is_over and over_at is None:
            over_at = device.camera.pictures
        # The last screen is still to be drawn, and its cable may be out.
        since = -1 if over_at is None else device.camera.pictures - over_at
        if since >= _PICTURES_AT_THE_END:
            last = (device.screen, device.memory.image().tobytes())
            if last[1] == draw(last[0]).tobytes() or since >= _MOST_PICTURES_AT_THE_END:
                device.stop()
        if device.robot_trouble:
            device.stop()

    device.run(comes_back=False, on_turn=turn)
    if device.failure is not None:
        raise device.failure
    if device.robot_trouble:
        raise RobotError(
            f"{device.robot_trouble} The screen: {device.screen.main} {device.screen.lines};"
            f" before: {device.alerts[-3:]}"
        )
    return player, *last


def keep_evidence(folder: Path, game: str, device: VirtualDevice) -> None:
    """What the camera sees, and what the companion makes of it, goes to a picture and a text in a folder."""
    path, desk = folder / f"{game}-{device.camera.pictures}", controller_of(device).desk
    cv2.imwrite(f"{path}.png", device.camera.last_picture)
    known = (device.screen, desk.dialog, desk.state.phase, desk.memory.reading)
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
    assert played.repeats == 0, f"{played.repeats} things had to be done twice"
    assert played.last_dots == draw(played.last_screen).tobytes()
