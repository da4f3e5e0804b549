"""The turn of an automatic player: it rolls and thinks by itself, people move its train for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.phases.between import played_otherwise
from companion.games.locomotion.play.phases.rolling import roll
from companion.games.locomotion.play.sentences import news, plan_line, tell_turn, with_locomotive
from companion.games.locomotion.play.thinking import Thought
from companion.games.locomotion.play.trouble import stands_as
from companion.games.locomotion.rules import ChooseSpeed, Phase, State, after
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.strategy.players.players import PLAYERS, AutomaticPlayer
from companion.screen.screen import NetworkMap, Screen
from hardware.buttons import Button

PAUSE_SECONDS: Final = 2.0
"""So long an automatic player waits before it begins: who has moved before it reads what came of it."""

Plan = Sequence[AnyStep]


class Automatic:
    """ROLLING, CHOOSING and MOVING of an automatic player."""

    def __init__(self) -> None:
        self._players: dict[int, AutomaticPlayer] = {}
        self._seeds: dict[int, int] = {}
        self._thought: Thought[Plan] | None = None
        self._about: State | None = None
        self._plan: Plan = ()

    def watch(self, desk: Desk) -> bool:
        """Rolls; thinks; goes on once its train stands where it wants it."""
        if played_otherwise(desk) or (desk.state.phase is not Phase.MOVING and not self._is_ready(desk)):
            return False
        if desk.state.phase is Phase.ROLLING:
            roll(desk)
            return True
        plan = self._planned(desk)
        if not plan:
            return False
        if isinstance(plan[0], ChooseSpeed):
            desk.do(plan[0])
            self._about, self._plan = desk.state, plan[1:]
            return True
        desk.wanted = desk.state, _end_of(desk.state, plan)
        seen = desk.seen
        if seen is None or not stands_as(seen, desk.goal):
            return False
        self._finish(desk, plan)
        return True

    @staticmethod
    def _is_ready(desk: Desk) -> bool:
        """Whether all stands as it should, and people have read what happened last."""
        if desk.now - desk.clock.stepped_at < PAUSE_SECONDS:
            return False
        seen = desk.seen
        return desk.is_blind or (seen is not None and stands_as(seen, desk.state))

    def _planned(self, desk: Desk) -> Plan:
        """All steps of the rest of its turn; none while it still thinks."""
        state = desk.state
        if self._about is state and self._plan:
            return self._plan
        if self._thought is None or self._about is not state:
            self.stop()
            self._about, self._plan = state, ()
            self._thought = Thought(self._thinks(desk))
        if self._thought.is_over:
            # Where something went wrong anything will do.
            self._plan = self._thought.answer or PLAYERS["random"]().turn(state, desk.source)
        return self._plan

    def _thinks(self, desk: Desk) -> Callable[[Callable[[], bool]], Plan]:
        state = desk.state
        # However often it thinks about a turn, as where people have played otherwise meanwhile: the dice stay the same.
        if state.turns not in self._seeds:
            self._seeds[state.turns] = desk.source.randrange(2**31)
        random = Random(self._seeds[state.turns])
        player = self._players.setdefault(state.active, PLAYERS[desk.agreement.automatic[state.active]]())
        return lambda _: player.turn(state, random)

    @staticmethod
    def _finish(desk: Desk, plan: Plan) -> None:
        begun = desk.turn_begun
        for step in plan:
            desk.do(step)
        tell_turn(desk, begun)

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: it has been done, where no camera sees it."""
        if button is Button.ROLL and desk.is_blind and desk.state.phase is Phase.MOVING:
            plan = self._plan if self._about is desk.state else ()
            if plan:
                self._finish(desk, plan)

    def screen(self, desk: Desk) -> Screen:
        """What to do for it."""
        state, plan = desk.state, self._plan if self._about is desk.state else ()
        done = desk.word("key-done") if desk.is_blind and plan else ""
        keys = (done, "", desk.word("key-look"), "", desk.word("key-back"))
        if not plan or state.phase is not Phase.MOVING:
            return Screen(heading=desk.name, main=desk.word("thinks"), lines=news(desk), keys=keys)
        main = plan_line(desk, state, plan)
        return Screen(heading=with_locomotive(desk, desk.name), main=main, map=_map_of(state, plan), keys=keys)

    def stop(self) -> None:
        """What is thought about is not wanted any more."""
        if self._thought is not None:
            self._thought.stop()

    def close(self) -> None:
        """It is not asked any more."""
        if self._thought is not None:
            self._thought.close()


def _end_of(state: State, plan: Plan) -> State:
    for step in plan:
        state = after(state, step)
    return state


def _map_of(state: State, plan: Plan) -> NetworkMap:
    """Where all should stand at the end; what has to be moved blinks, the arrow is the locomotive's way."""
    locomotive, way, before = state.locomotive, [state.stock.dots[state.locomotive]], state
    for step in plan:
        state = after(state, step)
        if state.stock.dots[locomotive] != way[-1]:
            way.append(state.stock.dots[locomotive])
    pairs = enumerate(zip(before.stock.dots, state.stock.dots, strict=True))
    return state_map(state, moved=[vehicle for vehicle, (old, new) in pairs if old != new], way=way)
