"""The steps of a train chosen one by one: where no camera sees them, or where it errs."""

from __future__ import annotations

from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.sentences import heading, tell_turn
from companion.games.locomotion.rules import Couple, EndTurn, Mode, Phase, Run, State, Uncouple, legal_motions
from companion.games.locomotion.rules.steps import AnyStep
from companion.screen.screen import NetworkMap, Screen
from hardware.buttons import Button


class Stepping:
    """What the train may do next, one after the other on the map; ROLL does it, PASS ends the turn."""

    def __init__(self) -> None:
        self._at: State | None = None
        self._number = 0
        self._steps: list[AnyStep] = []

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        step = self._chosen(desk)
        match button:
            case Button.UP | Button.DOWN:
                self._number = (self._number + (1 if button is Button.DOWN else -1)) % len(self._steps)
            case Button.ROLL:
                self._do(desk, step)
            case Button.PASS if EndTurn() in self._steps:
                self._do(desk, EndTurn())
            case Button.BACK:
                desk.close()
            case _:
                pass

    def _chosen(self, desk: Desk) -> AnyStep:
        if self._at is not desk.state:
            self._at, self._number = desk.state, 0
            self._steps = [*legal_motions(desk.state)]
            if desk.state.setup.mode is Mode.DIE:
                self._steps.append(EndTurn())
        return self._steps[self._number]

    def _do(self, desk: Desk, step: AnyStep) -> None:
        is_asked, begun, turns = desk.dialog is self, desk.turn_begun, desk.state.turns
        desk.certain.add(turns)
        desk.do(step)
        if desk.state.turns != turns or desk.state.phase is Phase.OVER:
            tell_turn(desk, begun)
        elif is_asked:
            desk.open(self)

    def screen(self, desk: Desk) -> Screen:
        step = self._chosen(desk)
        ends = desk.word("key-end") if EndTurn() in self._steps else ""
        arrows = ("▲", "▼") if len(self._steps) > 1 else ("", "")
        keys = (desk.word("key-ok"), ends, *arrows, desk.word("key-back"))
        main = desk.word("end-turn") if isinstance(step, EndTurn) else desk.word.step(desk.state, step)
        return Screen(heading=heading(desk), main=main, map=_map_of(desk.state, step), keys=keys)


def _map_of(state: State, step: AnyStep) -> NetworkMap:
    """The network with where a run leads, or with the wagons that it is about."""
    stock, network = state.stock, state.setup.network
    if isinstance(step, Run):
        leads, to = state.train[-1 if step.backwards else 0], network.number(step.to)
        return state_map(state, moved=[leads], way=() if to is None else (stock.dots[leads], to))
    wagons: tuple[int, ...] = ()
    if isinstance(step, Couple):
        wagons = (step.wagon,)
    elif isinstance(step, Uncouple):
        wagons = state.train[-step.count :]
    return state_map(state, marked=[stock.dots[wagon] for wagon in wagons])


def can_step(desk: Desk) -> bool:
    """Whether there is a step to be chosen."""
    return desk.has_begun and desk.state.phase is Phase.MOVING and not desk.is_automatic


def enter_steps(desk: Desk) -> None:
    """People say what the train does."""
    if can_step(desk):
        desk.open(Stepping())
