"""How a turn goes: who begins, the die or the speed, the steps, and what ends it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.locomotion.rules import motions
from companion.games.locomotion.rules.errors import Impossible, NotAllowed
from companion.games.locomotion.rules.state import FASTEST, SIDES_OF_A_DIE, Mode, Phase, State
from companion.games.locomotion.rules.steps import ChooseSpeed, DrawLots, EndTurn, Motion, Roll, RollOff


def draw_lots(state: State, step: DrawLots) -> State:
    """Everybody has a locomotive, and the colour order lies open (LSET5, LSET6)."""
    players, colours = state.setup.players, state.setup.wagon_colours
    if sorted(step.locomotives) != list(range(1, players + 1)):
        raise NotAllowed("LSET5", "locomotive-cards", given=list(step.locomotives), needed=players)
    if sorted(step.order) != list(range(1, colours + 1)):
        raise NotAllowed("LSET6", "colour-order", given=list(step.order), needed=colours)
    drawn = tuple(number - 1 for number in step.locomotives)
    lots = replace(state, drawn=drawn, order=step.order, speeds=(None,) * players)
    if players == 1:
        return _begin_turn(lots, 0)
    return replace(lots, phase=Phase.ROLLING_OFF, contenders=tuple(range(players)))


def roll_off(state: State, step: RollOff) -> State:
    """Who rolled highest begins; those who are equal roll again (LDIE1)."""
    if len(step.rolls) != len(state.contenders) or not all(map(_is_on_a_die, step.rolls)):
        raise Impossible("LDIE1", "roll-off", given=list(step.rolls), needed=len(state.contenders))
    highest = max(step.rolls)
    first = tuple(player for player, roll in zip(state.contenders, step.rolls, strict=True) if roll == highest)
    if len(first) > 1:
        return replace(state, contenders=first)
    return _begin_turn(replace(state, contenders=()), first[0])


def roll(state: State, step: Roll) -> State:
    """The most steps of the turn; who cannot move waits (LDIE2, LRUN7)."""
    if not _is_on_a_die(step.number):
        raise Impossible("LDIE2", "die", given=step.number)
    state = replace(state, phase=Phase.MOVING, left=step.number, braked=None, waited=None)
    if not _can_move(state):
        return replace(_next_turn(state), waited=state.active)
    return state


def speeds_allowed(state: State) -> Sequence[int]:
    """The speeds that the active player may choose (LSPD1, LSPD2, LSPD4)."""
    speed = state.speeds[state.active]
    if speed is None:
        return range(FASTEST + 1)
    return range(max(0, speed - 1), min(FASTEST, speed + 1) + 1)


def choose_speed(state: State, step: ChooseSpeed) -> State:
    """The steps of the turn, all of them to be used as far as the train can run (LSPD2 to LSPD4)."""
    allowed = speeds_allowed(state)
    if step.speed not in allowed:
        speed = state.speeds[state.active]
        if speed is None:
            raise NotAllowed("LSPD1", "first-speed", given=step.speed)
        raise NotAllowed("LSPD2", "speed", given=step.speed, speed=speed, allowed=list(allowed))
    state = _with_speed(replace(state, braked=None, waited=None), step.speed)
    if not step.speed:
        return _next_turn(state)
    return _go_on(replace(state, phase=Phase.MOVING, left=step.speed))


def move(state: State, motion: Motion) -> State:
    """The state after a step of the train; the game ends at once when it wins (LWIN1)."""
    before = motions.position(state)
    after = motions.moved(before, motion)
    must_win = state.setup.mode is Mode.SPEED and _must_win(state, before, after)
    if must_win and not motions.can_win(after, state.left - 1):
        raise NotAllowed("LSPD4", "not-the-longest")
    state = replace(
        state,
        stock=after.stock,
        entered=after.entered,
        must_win=must_win,
        left=state.left - 1,
        steps=state.steps + 1,
        braked=None,
        waited=None,
    )
    if after.is_won:
        return replace(state, phase=Phase.OVER, winner=state.active)
    return _go_on(state)


def uses_speed(state: State, before: motions.Position, after: motions.Position) -> bool:
    """Whether a step can begin a legal run: with the die any; at a speed one in full, one of the longest, or a win."""
    if state.setup.mode is Mode.DIE or not _must_win(state, before, after):
        return True
    return motions.can_win(after, state.left - 1)


def _must_win(state: State, before: motions.Position, after: motions.Position) -> bool:
    """Whether after a step the speed cannot be used any more as far as it could be when the turn began (LSPD4)."""
    return state.must_win or not motions.is_long_enough(before, after, state.left)


def end_turn(state: State, _: EndTurn) -> State:
    """What is left over lapses (LDIE2); of a speed nothing does (LSPD3)."""
    if state.setup.mode is Mode.SPEED:
        raise NotAllowed("LSPD3", "full-speed", left=state.left)
    return _next_turn(state)


def _go_on(state: State) -> State:
    if not state.left:
        return _next_turn(state)
    if state.setup.mode is Mode.SPEED and not _can_move(state):
        return replace(_next_turn(_with_speed(state, 0)), braked=state.active)
    return state


def _can_move(state: State) -> bool:
    return next(motions.motions(motions.position(state)), None) is not None


def _next_turn(state: State) -> State:
    return _begin_turn(state, (state.active + 1) % state.setup.players)


def _begin_turn(state: State, player: int) -> State:
    phase = Phase.CHOOSING if state.setup.mode is Mode.SPEED else Phase.ROLLING
    return replace(state, phase=phase, active=player, turns=state.turns + 1, left=0, entered=None, must_win=False)


def _with_speed(state: State, speed: int) -> State:
    return replace(state, speeds=tuple(speed if at == state.active else old for at, old in enumerate(state.speeds)))


def _is_on_a_die(number: int) -> bool:
    return 1 <= number <= SIDES_OF_A_DIE
