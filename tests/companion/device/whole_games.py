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
from companion.games.loknroll.robot.dealt_cards import dealt_cards
from companion.games.loknroll.rules import (
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
from companion.virtual.table import PICTURE_PX, Mishaps, VirtualTable
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
    table = VirtualTable(pictures, Random(seed), difficulty=difficulty, size=size, has_hands=has_hands, mishaps=mishaps)
    fingers = PinFingers(settings, pins, table.seconds)
    still = 2 if has_hands else 1
    virtual = VirtualGame(
        recorded,
        pictures,
        settings,
        seed,
        pins=pins,
        press=fingers.press,
        table=table,
        pictures_to_be_still=still,
    )

    repeats = 0

    def lift() -> bool:
        nonlocal repeats
        fingers.lift()
        if evidence is not None and virtual.robot.repeats > repeats:
            repeats = virtual.robot.repeats
            keep_evidence(evidence / f"{mode}-{seed}-{table.pictures}", virtual)
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
    cv2.imwrite(f"{path}.png", virtual.table.last_picture)
    known = (virtual.screen, desk.dialog, desk.state.phase, desk.memory.reading)
    Path(f"{path}.txt").write_text("\n\n".join(map(str, known)), "utf-8")


def check_cards(played: Played) -> None:
    """Every card that was drawn, laid or shown is in the record as what it was."""
    game = Game(played.game.states[0])
    for step in played.game.steps:
        pile, hands = dealt_cards(game, played.seed)
        match step:
            case StartCard(face=face) | SetAside(face=face) | Draw(face=str(face)):
                assert pile[-1].id == face, f"{pile[-1].id} was read as {face}"
            case Lay(face=face) | Discard(face=face):
                hand = [game.state.drawn] if game.state.is_automatons_turn else hands[game.state.active]
                assert face in [card.id for card in hand if card is not None], f"{face} is not in the hand {hand}"
            case LayOpen(player=player, faces=faces):
                assert list(faces) == [card.id for card in hands[player]]
            case _:
                pass
        game.do(step)
    assert game.state == played.game.state


def check_end(played: Played) -> None:
    """The game is over, nothing was done twice, and the screen's memory holds the last screen."""
    assert played.game.state.phase is Phase.OVER, played.game.state.phase
    assert played.virtual.robot.repeats == 0, f"{played.virtual.robot.repeats} things had to be done twice"
    expected, seen = draw(played.virtual.screen), played.virtual.memory.image()
    assert seen.tobytes() == expected.tobytes()
