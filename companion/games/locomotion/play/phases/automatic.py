"""The turn of an automatic player: it rolls and thinks by itself, people move its train for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.games.at_table.told import Story
from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.phases.rolling import roll
from companion.games.locomotion.play.sentences import turn_line
from companion.games.locomotion.play.thinking import Thought
from companion.games.locomotion.play.trouble import stands_as
from companion.games.locomotion.rules import ChooseSpeed, Phase, State, after
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.strategy.players.players import PLAYERS, AutomaticPlayer
from companion.screen.screen import Screen
from hardware.buttons import Button

Plan = Sequence[AnyStep]


class Automatic:
    """ROLLING, CHOOSING and MOVING of an automatic player."""

    def __init__(self) -> None:
        self._players: dict[int, AutomaticPlayer] = {}
        self._thought: Thought[Plan] | None = None
        self._about: State | None = None
        self._plan: Plan = ()

    def watch(self, desk: Desk) -> bool:
        """Rolls; thinks; goes on once its train stands where it wants it."""
        if desk.state.phase is Phase.ROLLING:
            if desk.is_blind or (desk.seen is not None and stands_as(desk.seen, desk.state)):
                roll(desk)
                return True
            return False
        plan = self._planned(desk)
        if plan is None:
            return False
        if isinstance(plan[0], ChooseSpeed):
            desk.do(plan[0])
            self._about, self._plan = desk.state, plan[1:]
            return True
        seen = desk.seen
        desk.wanted = desk.state, _end_of(desk.state, plan)
        if seen is not None and stands_as(seen, desk.goal):
            self._finish(desk, plan)
            return True
        return False

    def _planned(self, desk: Desk) -> Plan | None:
        """All steps of the rest of its turn; None while it still thinks."""
        state = desk.state
        if self._about is state and self._plan:
            return self._plan
        if self._thought is None or self._about is not state:
            self._about, self._plan = state, ()
            self._thought = Thought(self._thinks(desk))
        if not self._thought.is_over:
            return None
        # Where something went wrong anything will do.
        self._plan = self._thought.answer or PLAYERS["random"]().turn(state, desk.source)
        return self._plan

    def _thinks(self, desk: Desk) -> Callable[[Callable[[], bool]], Plan]:
        state, random = desk.state, Random(desk.source.randrange(2**31))
        player = self._players.setdefault(state.active, PLAYERS[desk.agreement.automatic[state.active]]())
        return lambda _: player.turn(state, random)

    def _finish(self, desk: Desk, plan: Plan) -> None:
        before, name = desk.state, desk.name
        for step in plan:
            desk.do(step)
        desk.told.tell(Story(name, (turn_line(desk, before, desk.state),), (), desk.now))
        desk.sound("end" if desk.state.phase is Phase.OVER else "right")

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: it has been done, where no camera sees it."""
        if button is Button.ROLL and desk.is_blind and desk.state.phase is Phase.MOVING and self._about is desk.state:
            plan = self._planned(desk)
            if plan is not None:
                self._finish(desk, plan)

    def screen(self, desk: Desk) -> Screen:
        """What to do for it."""
        state, plan = desk.state, self._plan if self._about is desk.state else ()
        keys = (desk.word("key-done") if desk.is_blind and plan else "", "", desk.word("key-look"), "", "")
        if not plan:
            return Screen(heading=desk.name, main=desk.word("thinks"), keys=keys)
        end = desk.goal
        moved = [v for v, (old, new) in enumerate(zip(state.stock.dots, end.stock.dots, strict=True)) if old != new]
        return Screen(heading=desk.name, main=desk.word("move-for"), map=state_map(end, moved=moved), keys=keys)

    def close(self) -> None:
        """It is not asked any more."""
        if self._thought is not None:
            self._thought.close()


def _end_of(state: State, plan: Plan) -> State:
    for step in plan:
        state = after(state, step)
    return state
