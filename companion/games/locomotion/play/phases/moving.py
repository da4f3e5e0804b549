"""A person's turn: the train is moved by hand, or step by step with the buttons."""

from __future__ import annotations

from typing import Final

from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.dialogs.hint import can_hint, open_hint
from companion.games.locomotion.play.dialogs.stepping import Stepping, enter_steps
from companion.games.locomotion.play.phases.earlier import Earlier
from companion.games.locomotion.play.phases.rolling import roll
from companion.games.locomotion.play.sentences import change_lines, heading, order_line, steps_line, tell_turn
from companion.games.locomotion.rules import EndTurn, Mode, Phase
from companion.games.locomotion.table.seen import Seen
from companion.games.locomotion.table.ways import Way
from companion.screen.screen import Screen
from hardware.buttons import Button

LEFT_SECONDS: Final = 6.0
"""So long a train may stand before it has been left: who thinks goes on, and reads what is taken for coupled."""


class Moving:
    """MOVING of a person."""

    def __init__(self) -> None:
        self._stepping, self._earlier = Stepping(), Earlier()

    def watch(self, desk: Desk) -> bool:
        """Looks how the turn has been played; ends it where it has come to its end without doubt."""
        seen = desk.seen
        self._earlier.look_at_clock(desk.now)
        if seen is None:
            return False
        desk.turn.look(desk.state, seen)
        way = desk.turn.way
        if self._was_other(desk, way, seen):
            return True
        desk.turn.is_thought_over = self._earlier.thinks_about(desk, seen)
        if desk.turn.is_thought_over:
            return False
        if desk.early.button is Button.ROLL:
            return self._hurried(desk, way)
        if way is not None and (desk.turn.is_plain or _is_left_so(desk, way)):
            finish(desk, way)
            return True
        return False

    def _was_other(self, desk: Desk, way: Way | None, seen: Seen) -> bool:
        """Whether earlier turns are now other ones than they were recorded as."""
        if way is None:
            return self._earlier.was_otherwise(desk, seen)
        is_over = way.state.phase is Phase.OVER
        return not is_over and not desk.turn.is_held and self._earlier.has_won(desk, seen)

    @staticmethod
    def _hurried(desk: Desk, way: Way | None) -> bool:
        """Does what was pressed, now that the camera has seen what it was about."""
        desk.early.drop()
        if way is None:
            desk.sound("wrong")
            return False
        finish(desk, way)
        if desk.state.phase is Phase.ROLLING and not desk.is_automatic:
            roll(desk)
        return True

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:
        """ROLL: the turn ends as it lies there, and the next one begins. PASS: it was another way."""
        if desk.is_blind and not desk.faults.have_just_blinded(desk.now):
            desk.early.drop()
            self._stepping.press(desk, button, held=held)
            return
        match button:
            case Button.ROLL if not desk.clock.has_just_passed:
                desk.early.keep(Button.ROLL, desk.now)
            case Button.PASS if held or desk.turn.way is None:
                enter_steps(desk)
            case Button.PASS:
                self._other(desk, desk.turn.way)
            case Button.DOWN if can_hint(desk):
                open_hint(desk)
            case _:
                pass

    def _other(self, desk: Desk, way: Way | None) -> None:
        """Another way; where there is none one that goes on from how all may lie, or hang together, as nobody sees."""
        seen, is_only = desk.seen, len(desk.turn.ways) == 1
        if seen is None or way is None or not is_only or not self._earlier.was_coupled_otherwise(desk, way, seen):
            desk.turn.other(desk.now)

    def screen(self, desk: Desk) -> Screen:
        """How many steps there are, and what has been made of them."""
        if desk.is_blind:
            return self._stepping.screen(desk)
        state, way = desk.state, desk.turn.way
        other = desk.word("key-other") if len(desk.turn.ways) > 1 else ""
        ends = desk.word("key-end") if way is not None else ""
        hint = desk.word("key-hint") if can_hint(desk) else ""
        keys = (ends, other, desk.word("key-look"), hint, desk.word("key-back"))
        if way is None or way.state.stock.dots == state.stock.dots:
            changes = () if way is None else change_lines(desk, state, way.state)
            lines = (desk.word("as-it-stands", told=changes),) if changes else (order_line(desk),)
            made = 0 if desk.seen is None else desk.turn.on_its_way(state, desk.seen)
            main = (
                desk.word("steps-of", done=made, count=state.left)
                if made
                else desk.word.move(state.setup.colours[state.locomotive])
            )
            return Screen(heading=heading(desk), main=main, lines=lines, map=state_map(state), keys=keys)
        main, done = steps_line(desk, state, way.state), change_lines(desk, state, way.state)
        return Screen(heading=heading(desk), main=main, lines=done, map=state_map(way.state), keys=keys)


def _is_left_so(desk: Desk, way: Way) -> bool:
    """Whether the turn has ended though nobody says so: who is next does not roll, and the train was left where it is.

    That costs nobody anything: who goes on after all before anything else is moved has played otherwise.
    """
    state, rest, turn = desk.state, desk.watch.rest, desk.turn
    is_at_speed = state.setup.mode is Mode.SPEED
    is_told = not is_at_speed and not desk.agreement.is_automatic((state.active + 1) % state.setup.players)
    # A speed may be used to and fro. After a power cut nobody knows whether it was.
    is_to_and_fro = is_at_speed and 0.0 <= desk.clock.stepped_at < rest.changed_at
    if is_told or turn.is_held or not (is_to_and_fro or way.state.stock.dots != state.stock.dots):
        return False
    since = max(desk.clock.stepped_at, turn.told_at)
    return min(desk.now - since, rest.quiet_seconds(desk.now)) >= LEFT_SECONDS


def finish(desk: Desk, way: Way) -> None:
    """The turn was played so, and is over."""
    begun, turns = desk.turn_begun, desk.state.turns
    desk.last_turn = desk.turn
    if desk.turn.is_told:
        desk.certain.add(turns)
    for motion in way.motions:
        desk.do(motion)
    if desk.state.phase is Phase.MOVING and desk.state.turns == turns:
        desk.do(EndTurn())
    tell_turn(desk, begun)
