"""A turn from its draw to its end: drawing, passing, rolling, putting cards down, discarding chaos cards."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.loknroll.rules import building
from companion.games.loknroll.rules.errors import Impossible, NotAllowed
from companion.games.loknroll.rules.piles import put_down, put_down_as_automaton
from companion.games.loknroll.rules.railway.emma import Drive, drive
from companion.games.loknroll.rules.state import (
    NOTHING,
    Outcome,
    Phase,
    PutDown,
    State,
    find_face,
    known_face,
    with_player,
)
from companion.games.loknroll.rules.steps import Discard, Draw, EndTurn, Lay, LayOpen, Pass, Put, Roll
from vision.cards import Face, Kind


def draw(state: State, step: Draw) -> State:
    """The turn begins with a card from the draw pile (TURN1); the automaton's chaos card ends it again (BET1)."""
    pile = state.draw_pile - 1
    if not state.is_automatons_turn:
        if step.face is not None:
            raise NotAllowed("TURN1", "hidden-draw")
        player = replace(state.player, hand=state.player.hand + 1)
        players = with_player(state, state.active, player)
        return replace(state, phase=Phase.ACTING, draw_pile=pile, players=players, outcome=NOTHING)
    if step.face is None:
        raise NotAllowed("BET1", "open-draw")
    face = find_face(state, step.face)
    state = replace(state, draw_pile=pile, outcome=NOTHING)
    if face.kind is Kind.CHAOS:
        # As if it were a penalty card of a drive that goes nowhere (BET7).
        return end_turn(_automaton_puts(state, Drive(state.railway, state.emma or 0, taken=(face,)), NOTHING))
    return replace(state, phase=Phase.ACTING, drawn=face)


def pass_turn(state: State, _step: Pass) -> State:
    """Emma goes forward by one card if she can, and the player takes a penalty card (PASS1 to PASS4, BET3)."""
    if state.drawn is not None and state.setup.rails and building.can_be_laid(state, state.drawn):
        raise NotAllowed("BET2", "can-be-laid", card=state.drawn)
    box = state.box if state.drawn is None else (*state.box, state.drawn)
    emma = state.emma or 0
    # She never derails by passing (PASS2).
    steps = min(1, len(state.railway) - 1 - emma)
    way = drive(state.railway, emma, steps, broken_costs=state.setup.edition.broken_on_pass).take(1)
    return _after_drive(replace(state, drawn=None, box=box), way)


def lay(state: State, step: Lay) -> State:
    """A card is laid; the automaton drives at once (BET4)."""
    state = building.lay(state, step)
    if not state.is_automatons_turn:
        return state
    return _after_drive(state, building.drive_for_automaton(state), dead_end=state.outcome.dead_end)


def roll(state: State, step: Roll) -> State:
    """Emma drives for the wheels rolled (ROLL1 to DER1)."""
    return _after_drive(state, building.drive_for_roll(state, step))


def put(state: State, step: Put) -> State:
    """A penalty card of this turn goes onto the own pile; the last one ends the turn (PEN3, TURN3)."""
    face = known_face(state, step.face)
    if face not in state.taken:
        raise NotAllowed("PEN3", "not-a-penalty", card=face, allowed=state.taken)
    index = state.taken.index(face)
    state = _put_down(state, face, combine=step.combine)
    state = replace(state, taken=state.taken[:index] + state.taken[index + 1 :])
    return state if state.taken else end_turn(state)


def discard(state: State, step: Discard) -> State:
    """A chaos card goes from the hand onto the own pile (CHA1, CHA2)."""
    face = find_face(state, step.face)
    if state.player.hand == 0:
        raise Impossible("CHA1", "no-hand-to-discard")
    if face.kind is not Kind.CHAOS:
        raise NotAllowed("CHA1", "not-chaos", card=face)
    state = _put_down(state, face, combine=step.combine)
    player = replace(state.player, hand=state.player.hand - 1)
    return replace(state, phase=Phase.DISCARDING, players=with_player(state, state.active, player))


def finish_discarding(state: State, _step: EndTurn) -> State:
    """The player discards no more (TURN3)."""
    return end_turn(replace(state, outcome=NOTHING))


def lay_open(state: State, step: LayOpen) -> State:
    """A hand goes onto its player's pile at the end, without combining (END2)."""
    waiting = hands_to_lay_open(state)
    if step.player not in waiting:
        raise NotAllowed("END2", "already-open", allowed=[number + 1 for number in waiting])
    player = state.players[step.player]
    if len(step.faces) != player.hand:
        raise Impossible("END2", "hand-size", given=len(step.faces), needed=player.hand)
    for face_id in step.faces:
        face = find_face(state, face_id)
        # Card by card: what already lies open counts for ``find_face``, so no card is laid open twice.
        player = replace(player, hand=player.hand - 1, pile=(*player.pile, face))
        state = replace(state, players=with_player(state, step.player, player))
    over = not hands_to_lay_open(state)
    return replace(state, phase=Phase.OVER if over else Phase.LAYING_OPEN, outcome=NOTHING)


def hands_to_lay_open(state: State) -> list[int]:
    """The numbers of the players who still hold cards."""
    return [number for number, player in enumerate(state.players) if player.hand]


def end_turn(state: State) -> State:
    """The next player is up (TURN3); after the last card of the draw pile the hands are laid open (END1, BET9)."""
    if state.draw_pile:
        following = (state.active + 1) % len(state.players)
        return replace(state, phase=Phase.DRAWING, active=following, turn=state.turn + 1, laid=0)
    return replace(state, phase=Phase.LAYING_OPEN if hands_to_lay_open(state) else Phase.OVER, laid=0)


def _after_drive(state: State, way: Drive, *, dead_end: bool = False) -> State:
    """The state after Emma's drive: cards to put down, or the end of the turn, or of a lost game (SOLO2)."""
    player = replace(state.player, derailments=state.player.derailments + (way.missing > 0))
    state = replace(state, railway=way.railway, emma=way.emma, players=with_player(state, state.active, player))
    outcome = Outcome(
        moved=way.moved,
        missing=way.missing,
        broken=way.broken,
        taken=way.taken,
        waived=way.waived,
        dead_end=dead_end,
    )
    if state.is_automatons_turn:
        return end_turn(_automaton_puts(state, way, outcome))
    state = replace(state, taken=way.taken, outcome=outcome)
    if state.is_lost:
        return replace(state, phase=Phase.OVER)
    return replace(state, phase=Phase.PUTTING) if way.taken else end_turn(state)


def _automaton_puts(state: State, way: Drive, outcome: Outcome) -> State:
    """The automaton's penalty cards go onto its pile at once (BET7)."""
    player, boxed, put_cards = put_down_as_automaton(state.player, way.taken)
    return replace(
        state,
        players=with_player(state, state.active, player),
        box=state.box + boxed,
        outcome=replace(outcome, put=put_cards),
    )


def _put_down(state: State, face: Face, *, combine: bool) -> State:
    """The active player puts a card onto the own pile, or both into the box (CMB1)."""
    player, boxed = put_down(state.player, face, combine=combine)
    return replace(
        state,
        players=with_player(state, state.active, player),
        box=state.box + boxed,
        outcome=Outcome(put=(PutDown(face, combine),)),
    )
