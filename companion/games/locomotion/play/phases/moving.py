"""A person's turn: the train is moved by hand, or step by step with the buttons."""

from __future__ import annotations

from companion.games.at_table.told import Story
from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.dialogs.hint import can_hint, open_hint
from companion.games.locomotion.play.phases.rolling import roll
from companion.games.locomotion.play.sentences import turn_line
from companion.games.locomotion.rules import EndTurn, Mode, Motion, Phase, State, legal_motions
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.table.ways import Way
from companion.screen.screen import Screen
from hardware.buttons import Button


class Moving:
    """MOVING of a person."""

    def __init__(self) -> None:
        self._at: State | None = None
        self._number = 0

    def watch(self, desk: Desk) -> bool:
        """Looks how the turn has been played; ends it where it has come to its end without doubt."""
        seen = desk.seen
        if seen is None:
            return False
        desk.turn.look(desk.state, seen)
        way = desk.turn.way
        if way is not None and (way.state.phase is Phase.OVER or desk.turn.is_plain):
            finish(desk, way)
            return True
        return self._hurried(desk, way)

    @staticmethod
    def _hurried(desk: Desk, way: Way | None) -> bool:
        """Does what was pressed before the camera had seen what it was about."""
        if desk.early.button is not Button.ROLL:
            return False
        desk.early.drop()
        if way is None:
            desk.sound("wrong")
            return False
        go_on(desk, way)
        return True

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: the turn ends as it lies there, and the next one begins. PASS: it was another way."""
        if desk.is_blind:
            self._enter(desk, button)
            return
        match button:
            case Button.ROLL:
                desk.early.keep(Button.ROLL, desk.now)
            case Button.PASS if len(desk.turn.ways) > 1:
                desk.turn.other()
            case Button.PASS if can_hint(desk):
                open_hint(desk)
            case _:
                pass

    # Without a camera

    def _choices(self, desk: Desk) -> list[AnyStep]:
        motions: list[AnyStep] = [*legal_motions(desk.state)]
        return [*motions, EndTurn()] if desk.state.setup.mode is Mode.DIE else motions

    def _chosen(self, desk: Desk) -> AnyStep:
        if self._at is not desk.state:
            self._at, self._number = desk.state, 0
        return self._choices(desk)[self._number]

    def _enter(self, desk: Desk, button: Button) -> None:
        count, step = len(self._choices(desk)), self._chosen(desk)
        match button:
            case Button.UP | Button.DOWN:
                self._number = (self._number + (1 if button is Button.DOWN else -1)) % count
            case Button.ROLL:
                before = desk.state
                desk.do(step)
                if desk.state.turns != before.turns:
                    desk.told.tell(Story(before.setup.names[before.active], (), (), desk.now))
            case Button.PASS if desk.state.setup.mode is Mode.DIE:
                desk.do(EndTurn())
            case _:
                pass

    def screen(self, desk: Desk) -> Screen:
        """How many steps there are, and what has been made of them."""
        state = desk.state
        heading = desk.word("heading", player=desk.name, left=desk.word("steps-left", count=state.left))
        if desk.is_blind:
            step = self._chosen(desk)
            main = desk.word.motion(state, step) if isinstance(step, Motion) else desk.word("end-turn")
            keys = (desk.word("key-ok"), desk.word("key-end"), "▲", "▼", desk.word("key-back"))
            return Screen(heading=heading, main=main, map=state_map(state), keys=keys)
        way = desk.turn.way
        main = desk.word("move") if way is None or not way.motions else turn_line(desk, state, way.state)
        hint = desk.word("key-hint") if can_hint(desk) else ""
        other = desk.word("key-other") if len(desk.turn.ways) > 1 else hint
        keys = (desk.word("key-end"), other, desk.word("key-look"), "", desk.word("key-back"))
        return Screen(heading=heading, main=main, map=state_map(state if way is None else way.state), keys=keys)


def finish(desk: Desk, way: Way) -> None:
    """The turn was played so, and is over."""
    before, name = desk.state, desk.name
    for motion in way.motions:
        desk.do(motion)
    if desk.state.phase is Phase.MOVING and desk.state.turns == before.turns:
        desk.do(EndTurn())
    desk.told.tell(Story(name, (turn_line(desk, before, way.state),), (), desk.now))
    desk.sound("end" if desk.state.phase is Phase.OVER else "right")


def go_on(desk: Desk, way: Way) -> None:
    """The turn is over, and the next person rolls at once."""
    finish(desk, way)
    if desk.state.phase is Phase.ROLLING and not desk.is_automatic:
        roll(desk)
