"""People in the midst of a game, whose table may be brought into disorder."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.game import Present
from companion.games.loknroll.play.recorded_play import RecordedPlay
from companion.games.loknroll.play.words import Words
from companion.games.loknroll.rules import Game, Mode, Phase, State
from companion.games.loknroll.rules.building import legal_placements
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Player, dealt, seat
from vision.cards import Face, Motion, Pose


class Table:
    """People in the midst of a game, at a table seen without noise in the axes of the game."""

    def __init__(
        self, mode: Mode, seed: int, wanted: Callable[[State], bool], settings: Settings | None = None
    ) -> None:
        self.source = dealt(mode, seed)
        self.people: Player = seat(mode, seed, settings=settings, noise=0.0)
        self.people.table.shift = Motion()
        self.at = next(index for index, state in enumerate(self.source.states) if index > 8 and wanted(state))
        self.people.play(self.source, self.at)
        self.people.table.as_in(self.people.game.state)
        self.people.look(1.0)

    @property
    def game(self) -> Game:
        return self.people.game

    @property
    def screen(self) -> Screen:
        return self.people.screen

    @property
    def text(self) -> str:
        return " ".join((self.screen.heading, self.screen.main, *self.screen.lines))

    def face(self, fits: Callable[[Face], bool]) -> Face:
        unseen = self.game.state.unseen()
        return next(face for face in self.game.state.setup.deck.faces if unseen[face.id] and fits(face))

    def layable(self) -> tuple[Face, Pose]:
        """A card that can be laid, and where."""
        state = self.game.state
        face = self.face(lambda face: face.kind == "track" and bool(legal_placements(state, face)))
        return face, legal_placements(state, face)[0].pose

    def lay(self) -> tuple[Face, Pose, int]:
        face, pose = self.layable()
        number = self.people.table.put(face.id, pose)
        self.people.look(0.8)
        return face, pose, number

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.people.press(button)
        self.people.wait(0.2)


def acting(state: State) -> bool:
    return state.phase is Phase.ACTING and not state.is_automatons_turn and len(state.railway) >= 4


def moved(pose: Pose, x: float = 0.0, y: float = 0.0) -> Pose:
    return Pose(pose.x_mm + x, pose.y_mm + y, pose.rotation_deg)


def rolled(table: Table, wheels: int = 1) -> None:
    dice = sum(card.face.value for card in table.game.state.railway.cards[-table.game.state.laid :])
    table.people.roll((1,) * wheels + (0,) * (dice - wheels))
    while table.game.state.phase is Phase.PUTTING:
        table.press(Button.ROLL)


def choose(table: Table, face: Face) -> int:
    """Chooses a card as the keys say; returns the number of presses."""
    buttons = list(Button)
    table.press(buttons[face.value - 1])
    sign = Words.sign(face)
    if sign in table.screen.keys:
        table.press(buttons[table.screen.keys.index(sign)])
    else:
        held = table.screen.lines[0].split(": ")[1].split(", ")
        table.people.press(buttons[held.index(Words("en").shape(face))], held=True)
        table.people.wait(0.2)
    return 2


def play_of(people: Player) -> RecordedPlay:
    """What a page asks."""
    return RecordedPlay(people.controller, None)  # type: ignore[arg-type]


def present(people: Player) -> Present:
    return play_of(people).present()
