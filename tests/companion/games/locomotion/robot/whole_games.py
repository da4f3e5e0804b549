"""Whole games through pins, pixels and the memory of the OLED screen, and what must be true of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import cv2

from companion.device.last_game import Order
from companion.device.virtual_device import VirtualDevice
from companion.games.game import RobotError
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.robot.robot import Pressed, Robot
from companion.games.locomotion.rules import Game, Phase
from companion.games.locomotion.settings import NAME
from companion.games.settings import Settings
from companion.screen import draw
from companion.screen.screen import Screen
from companion.virtual.camera import PICTURE_PX, WorldCamera
from companion.virtual.disturbances import Mishaps
from hardware.buttons import Button
from tests.companion.device.whole_games import pinned_device, run_to_the_end
from tests.companion.games.locomotion.robot.bench import Bench
from tests.companion.games.locomotion.robot.guesses import Guesses
from vision.rendering.conditions import Difficulty


class Played(NamedTuple):
    """A game that is over, who played it, and what the screen's memory held in the end."""

    device: VirtualDevice
    robot: Robot
    last_screen: Screen
    last_dots: bytes
    game: Game
    guesses: Guesses

    @property
    def presses(self) -> Counter[tuple[str, str]]:
        """What was pressed in which phase."""
        return counted(self.robot.presses_made)

    @property
    def corrections(self) -> int:
        """How often people had to say that a turn was another one."""
        return corrections(self.robot.presses_made)


def counted(presses: Sequence[Pressed]) -> Counter[tuple[str, str]]:
    """Presses by phase and button."""
    return Counter((press.phase, str(press.button)) for press in presses)


def corrections(presses: Sequence[Pressed]) -> int:
    """How often people had to say that a turn was another one."""
    return sum(press.button is Button.PASS for press in presses)


class Rehearsal(NamedTuple):
    """A game that came to its end, and the turns in which people had to say what they had coupled."""

    bench: Bench
    insists: Collection[int] | None


def rehearsed(
    folder: Path, kind: str, settings: Settings, seed: int, most_turns: int, *, is_strict: bool = True
) -> Rehearsal | None:
    """The same game read without a mistake; None where nobody has won after so many turns of all.

    Trains may stand in each other's way for ever. Who is not ``is_strict`` only says what was coupled where the record
    would never have it right else.
    """
    insists: set[int] | None = None if is_strict else set()
    while True:
        bench, is_over = _rehearsed_once(folder / f"{len(insists or ())}", kind, settings, seed, most_turns, insists)
        game = bench.play.controller.game
        wrong = set(bench.robot.wrong(game)) - set(insists or ())
        if insists is None or not wrong or game.state.turns > most_turns:
            return Rehearsal(bench, insists) if is_over else None
        insists.add(min(wrong))


def _rehearsed_once(
    folder: Path, kind: str, settings: Settings, seed: int, most_turns: int, insists: Collection[int] | None
) -> tuple[Bench, bool]:
    folder.mkdir(parents=True)
    bench = Bench(folder, kind, settings, seed, insists)
    with suppress(RobotError):  # it does not go on: then something was taken wrong
        while not bench.play.is_over:
            bench.turn()
            if bench.play.is_set_up and bench.play.controller.game.state.turns > most_turns:
                break
    bench.play.close()
    return bench, bench.play.is_over


def play_whole_game(
    folder: Path,
    kind: str,
    settings: Settings,
    seed: int,
    *,
    has_hands: bool = False,
    size: tuple[int, int] = PICTURE_PX,
    difficulty: Difficulty = "easy",
    mishaps: Mishaps | None = None,
    on_turn: Callable[[VirtualDevice], None] = lambda _: None,
    evidence: Path | None = None,
    begun: Game | None = None,
    insists: Collection[int] | None = None,
) -> Played:
    """Plays a game to its end, or one that has ``begun``; raises RobotError.

    ``insists`` as the robot has it.

    What the camera saw, and the companion made of it, when the robot had to do something twice is kept in the folder
    ``evidence``. ``on_turn`` is told each turn of the loop.
    """
    folder.mkdir(parents=True)
    if begun is not None:
        _record(folder / "game.jsonl", begun)
    camera = partial(WorldCamera, difficulty=difficulty, size=size, has_hands=has_hands, mishaps=mishaps)
    device, fingers = pinned_device(folder, seed, camera)
    device.kept.settings = settings
    if begun is None:
        device.begin(Order(NAME, kind))
    repeated = None if evidence is None else partial(keep_evidence, evidence, f"{kind}-{seed}")
    guesses = Guesses()

    def turn(device: VirtualDevice) -> None:
        if device.robot is not None and device.play is not None and device.play.is_set_up:
            device.robot.insists = insists
            guesses.look(device.play.controller.game, device.robot)
        on_turn(device)

    robot, screen, dots = run_to_the_end(device, fingers, repeated, turn)
    game, journal, _ = RECORDS.resume(folder / "game.jsonl", None)
    journal.close()
    guesses.look(game, robot)
    return Played(device, robot, screen, dots, game, guesses)


def _record(path: Path, game: Game) -> None:
    """Leaves the record of a game that is to go on."""
    recorded, journal = RECORDS.start(path, Game(game.states[0]))
    for step in game.steps:
        recorded.do(step)
    journal.close()


def keep_evidence(folder: Path, game: str, device: VirtualDevice) -> None:
    """What the camera sees, and what the companion makes of it, goes to a picture and a text in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path, desk = folder / f"{game}-{device.camera.pictures}", device.play.controller.desk
    cv2.imwrite(f"{path}.png", device.camera.last_picture)
    state = desk.state.stock if desk.has_begun else desk.preparation.problem
    Path(f"{path}.txt").write_text("\n\n".join(map(str, (device.screen, state, desk.watch.reading))), "utf-8")


def check_turns(game: Game, robot: Robot) -> None:
    """Each turn of a person has ended as it was wanted to."""
    ends = {state.turns: following.stock for state, following in pairwise(game.states)}
    assert robot.intended, "nobody has moved anything"
    others = [
        turn
        for turn, wanted in robot.intended.items()
        if (ends[turn].dots, ends[turn].rows) != (wanted.dots, wanted.rows)
    ]
    assert not others, f"recorded otherwise than played: turns {others}"


def check_end(played: Played) -> None:
    """The game is over, nothing was done twice, and the screen's memory holds the last screen."""
    assert played.game.state.phase is Phase.OVER, "the game is not over"
    assert played.robot.repeats == 0, f"{played.robot.repeats} things had to be done twice"
    assert played.last_dots == draw(played.last_screen).tobytes(), "the last screen is not what the driver sent"
