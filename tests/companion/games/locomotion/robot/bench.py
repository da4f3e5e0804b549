"""A game that a robot plays in a world that an eye reads without a mistake, in axes of its own."""

from __future__ import annotations

import cmath
import math
import time
from collections.abc import Collection
from pathlib import Path
from random import Random

from companion.games.events import Pressed, Seen, Show, Tick
from companion.games.locomotion.game import GAME
from companion.games.locomotion.play.recorded_play import RecordedPlay
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.robot.robot import Robot
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.virtual.robot_hands import RobotHands
from companion.virtual.things import Place
from companion.virtual.world import World
from hardware.buttons import Button
from vision.cards import Motion, Pose
from vision.watching.network_reading import NetworkReading, SeenPiece, SeenVehicle
from vision.watching.table_reading import TableReading

TURN_SECONDS = 0.2
"""Of the loop: so often the camera looks."""


class Bench:
    """A play, its things, and the robot that plays it; ``run`` lets it."""

    def __init__(
        self, folder: Path, kind: str, settings: Settings, seed: int, insists: Collection[int] | None = None
    ) -> None:
        self.keep = Keep(folder / "game.jsonl", folder)
        self.now = 0.0
        self.screen = Screen()
        self.alerts: list[Screen] = []
        self.world = World(lambda: self.now)
        play = GAME.begin(kind, self.keep, settings, None, Random(seed))
        assert isinstance(play, RecordedPlay)
        self.play = play
        GAME.lay_out(play, self.world, seed)
        self.hands = RobotHands(self.world, seed)
        self.pressed: list[Button] = []
        self.robot = Robot(play.controller, self.hands, seed, self.pressed.append, pause_seconds=0.0)
        self.robot.insists = insists

    def run(self, turns: int = 200_000) -> None:
        """So many turns of the loop, or until somebody has won."""
        for _ in range(turns):
            if self.play.is_over:
                return
            self.turn()

    def turn(self) -> None:
        """A turn of the loop."""
        self.now += TURN_SECONDS
        self.happens(Tick(self.now))
        while self.pressed:
            self.happens(Pressed(self.pressed.pop(0)))
        self.happens(Seen(read(self.world)))
        self.robot.act(self.now)
        desk = self.play.controller.desk
        if desk.chooses_puzzle or (desk.has_begun and desk.is_automatic):
            time.sleep(0.001)  # for what is worked out in a thread

    def happens(self, event: object) -> None:
        for effect in self.play.handle(event):  # type: ignore[arg-type] - events, by their makers
            if isinstance(effect, Show):
                self.screen = effect.screen
                if effect.screen.alert:
                    self.alerts.append(effect.screen)


def read(world: World) -> TableReading:
    """What lies in a world, in axes that begin at the first piece."""
    cards = world.cards(Place.TABLE)
    if not cards:
        return TableReading()
    across, down = (side / CELL_MM for side in world.snapshot().card_mm)
    # A turned piece lies on whole cells only about its first one.
    first = Motion(-across / 2 * CELL_MM + CELL_MM / 2, -down / 2 * CELL_MM + CELL_MM / 2)
    origin = _first_cell(min(cards, key=lambda card: card.number).pose, first)
    # Each piece lies a little askew; all of them together tell how the network lies.
    askew = sum(cmath.rect(1, 4 * math.radians(card.pose.rotation_deg - origin.rotation_deg)) for card in cards)
    to_cells = Motion.onto(origin.moved(0, 0, math.degrees(cmath.phase(askew)) / 4), Pose(0, 0))
    pieces = []
    for card in cards:
        place = to_cells(_first_cell(card.pose, first))
        pieces.append(SeenPiece(_cell(place), "ESWN"[round(place.rotation_deg / 90) % 4]))
    vehicles = [
        SeenVehicle(_cell(to_cells(figure.pose)), int(figure.look[-1]), figure.look.startswith("locomotive"))
        for figure in world.figures
        if figure.pose is not None
    ]
    reach = world.scenery().reach
    world.withdraw_hand()
    return TableReading(network=NetworkReading(tuple(pieces), tuple(vehicles)), hand=reach is not None)


def _first_cell(pose: Pose, first: Motion) -> Pose:
    x, y = Motion.onto(Pose(0, 0), pose).point((first.right_mm, first.down_mm))
    return Pose(x, y, pose.rotation_deg)


def _cell(place: Pose) -> tuple[int, int]:
    return round(place.x_mm / CELL_MM), round(place.y_mm / CELL_MM)
