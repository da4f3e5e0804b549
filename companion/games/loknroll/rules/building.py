"""Building: which cards may be laid where, and the drive that follows (LAY0 to LAY5, ROLL1 to DER1, BET2 to BET5)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.loknroll.rules.errors import IllegalPlacement, Impossible, NotAllowed
from companion.games.loknroll.rules.railway.emma import Drive, drive
from companion.games.loknroll.rules.railway.geometry import Placement, closes_loop, is_dead_end, match, placements
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.rules.state import Outcome, Phase, State, find_face, with_player
from companion.games.loknroll.rules.steps import Lay, Roll
from vision.cards import Face, Pose

FORBIDDEN_DIFFERENCE = 2
LARGEST_COORDINATE = 1_000_000
"""As far as a place in mm or a rotation in degrees may be from 0: a kilometre. Farther off floats grow coarser than the
tolerances, and in the end they overflow."""


def legal_placements(state: State, face: Face) -> list[Placement]:
    """Every way in which the rules let this card be laid to the front now; none if its value does not fit.

    For a game with rails, from its second card on.
    """
    if not face.is_track or _value_objection(state, face) is not None:
        return []
    return [
        way
        for way in placements(state.railway, face)
        if _room_objection(state, _laid(state.railway, face, way)) is None
    ]


def can_be_laid(state: State, face: Face) -> bool:
    """Whether the card can be laid; without rails, whether its value can."""
    if not state.setup.rails:
        return face.is_track and _value_objection(state, face) is None
    return bool(legal_placements(state, face))


def placed(state: State, face: Face, pose: Pose | None) -> tuple[Railway, bool]:
    """The railway with the card laid there, and whether nothing fits after it.

    Raises NotAllowed or IllegalPlacement with the clause that is broken.
    """
    if not state.setup.rails and pose is not None:
        raise NotAllowed("LAY2", "needs-no-pose")
    if state.setup.rails and (pose is None or not pose.is_finite):
        raise NotAllowed("LAY2", "needs-pose")
    if pose is not None and max(abs(pose.x_mm), abs(pose.y_mm), abs(pose.rotation_deg)) > LARGEST_COORDINATE:
        raise NotAllowed("LAY2", "off-any-table", most=LARGEST_COORDINATE)
    if not state.railway.cards:
        return _first_card(face, pose), False
    objection = _value_objection(state, face)
    if objection is not None:
        raise objection
    if pose is None:
        return state.railway.with_card(face), False
    meant = match(state.railway, face, pose)
    # Judged where it is meant: a place that was listed is not refused because a hand was a little off.
    objection = _room_objection(state, _laid(state.railway, face, meant))
    if objection is not None:
        raise objection
    # Kept as it lies, not as it is meant: the next card is laid to the rails that lie there.
    railway = state.railway.with_card(face, pose, meant.entry, meant.exit_port)
    warns = state.phase is not Phase.SETTING_UP and state.setup.edition.dead_end == "warn"
    return railway, warns and is_dead_end(railway, state.setup.deck.passages)


def lay(state: State, step: Lay) -> State:
    """A card is laid; the automaton drives at once, a person may lay more or roll."""
    # The automaton's card comes openly from the draw pile. Of a person's hand only the size is known.
    if state.drawn is not None:
        face, hand = state.drawn, state.player.hand
        if step.face != face.id:
            raise NotAllowed("BET2", "not-the-drawn", card=face)
    else:
        face, hand = find_face(state, step.face), state.player.hand - 1
        if hand < 0:
            raise Impossible("LAY0", "hand-empty")
    if not face.is_track:
        raise NotAllowed("LAY0", "not-a-track", card=face)
    railway, dead_end = placed(state, face, step.pose)
    return replace(
        state,
        phase=Phase.BUILDING,
        railway=railway,
        drawn=None,
        laid=state.laid + 1,
        players=with_player(state, state.active, replace(state.player, hand=hand)),
        outcome=Outcome(dead_end=dead_end),
    )


def dice_to_roll(state: State) -> int:
    """How many dice are rolled for the cards laid in this turn (ROLL1)."""
    laid = state.railway.cards[len(state.railway) - state.laid :]
    if state.setup.edition.dice_count == "value":
        return laid[-1].face.value
    return sum(card.face.value for card in laid)


def drive_for_roll(state: State, step: Roll) -> Drive:
    """Emma's drive for the wheels rolled, penalty cards for derailing taken (ROLL2, DER1)."""
    die, needed = state.setup.edition.die, dice_to_roll(state)
    if len(step.dice) != needed:
        raise NotAllowed("ROLL1", "dice-count", given=len(step.dice), needed=needed)
    for wheels in step.dice:
        if wheels not in die:
            raise NotAllowed("MAT3", "dice-face", given=wheels, allowed=sorted(set(die)))
    way = drive(state.railway, _emma(state), sum(step.dice))
    return way.take(way.missing)


def drive_for_automaton(state: State) -> Drive:
    """Emma's drive by the value just laid; derailing costs the automaton one card (BET4, BET5)."""
    way = drive(state.railway, _emma(state), state.railway.front.face.value)
    return way.take(1) if way.missing else way


def _emma(state: State) -> int:
    if state.emma is None:
        raise ValueError("Emma stands on the railway from the first turn on.")
    return state.emma


def _first_card(face: Face, pose: Pose | None) -> Railway:
    if pose is None:
        return Railway().with_card(face)
    # People do not sit square to the camera: the first card says how all of the railway is turned.
    square = round(pose.rotation_deg / 90) * 90
    return Railway(angle_deg=pose.rotation_deg - square).with_card(face, pose)


def _laid(railway: Railway, face: Face, way: Placement) -> Railway:
    return railway.with_card(face, way.pose, way.entry, way.exit_port)


def _value_objection(state: State, face: Face) -> NotAllowed | None:
    """What speaks against a card of this value at the front: LAY0 and LAY4, in the set-up SET4."""
    front = state.railway.front.face.value
    if state.phase is Phase.SETTING_UP and not state.setup.edition.setup_difference_rule:
        return None
    # The front card was laid in this turn, and the cards of a turn have one value.
    if state.phase is Phase.BUILDING and face.value != front:
        return NotAllowed("LAY0", "another-value", value=face.value, laid=front)
    if abs(face.value - front) == FORBIDDEN_DIFFERENCE:
        fitting = [value for value in range(1, 5) if abs(value - front) != FORBIDDEN_DIFFERENCE]
        between = [len(state.railway) - 1]
        return IllegalPlacement("LAY4", "difference", between, value=face.value, front=front, allowed=fitting)
    return None


def _room_objection(state: State, railway: Railway) -> IllegalPlacement | None:
    """What a railway's loops and dead ends have against it (LAY5).

    In the set-up they do not hold (SET4), but the initial railway must be able to get all its cards (SET2).
    """
    edition, passages = state.setup.edition, state.setup.deck.passages
    if state.phase is Phase.SETTING_UP:
        if len(railway) < edition.start_cards and is_dead_end(railway, passages):
            return IllegalPlacement("SET2", "dead-end", between=[len(railway) - 1])
        return None
    if edition.loops == "forbidden" and closes_loop(railway):
        return IllegalPlacement("LAY5", "loop", between=[0])
    if edition.dead_end == "forbid" and is_dead_end(railway, passages):
        return IllegalPlacement("LAY5", "dead-end", between=[len(railway) - 1])
    return None
