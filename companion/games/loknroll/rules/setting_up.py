"""The set-up: the initial railway, cards set aside, cards removed, hands dealt (SET1 to SET9)."""

from msgspec.structs import replace

from companion.games.loknroll.rules.building import legal_placements, placed
from companion.games.loknroll.rules.errors import NotAllowed
from companion.games.loknroll.rules.state import NOTHING, Phase, Player, State, find_face
from companion.games.loknroll.rules.steps import Begin, SetAside, StartCard
from vision.cards import Face


def layer(state: State) -> int:
    """Who draws and lays the next card of the initial railway: the people in turn (SET2)."""
    return len(state.railway) % state.setup.mode.persons


def railway_is_ready(state: State) -> bool:
    """Whether the initial railway has all its cards."""
    return len(state.railway) == state.setup.edition.start_cards


def starters(state: State) -> tuple[int, ...]:
    """Which players may begin: all of them by lot, or the one whom the mode names (SET9)."""
    automaton = state.setup.automaton
    if automaton is None:
        return tuple(range(state.setup.mode.persons))
    return (automaton if state.setup.edition.automaton_starts else 0,)


def lay_start_card(state: State, step: StartCard) -> State:
    """A card of the initial railway (SET2, SET4)."""
    face = find_face(state, step.face)
    if not face.is_track:
        raise NotAllowed("SET3", "starting-chaos")
    railway, _ = placed(state, face, step.pose)
    return replace(state, railway=railway, draw_pile=state.draw_pile - 1, outcome=NOTHING)


def set_aside(state: State, step: SetAside) -> State:
    """A chaos card, or a track card for which there is no place (SET3)."""
    face = find_face(state, step.face)
    if face.is_track and fits_as_start_card(state, face):
        raise NotAllowed("SET3", "set-aside-fits", card=face)
    return replace(state, set_aside=(*state.set_aside, face), draw_pile=state.draw_pile - 1, outcome=NOTHING)


def fits_as_start_card(state: State, face: Face) -> bool:
    """Whether a track card can be laid to the initial railway, as far as the engine can know."""
    if not state.railway.cards:
        return True
    # Without rails only people see whether there is a place.
    return bool(legal_placements(state, face)) if state.setup.rails else False


def begin(state: State, step: Begin) -> State:
    """What is left of the set-up once the initial railway lies; the first turn begins."""
    edition, mode = state.setup.edition, state.setup.mode
    if step.starter not in starters(state):
        raise NotAllowed("SET9", "starter", player=step.starter + 1, allowed=[number + 1 for number in starters(state)])
    if step.reverse and edition.direction != "chosen":
        raise NotAllowed("SET5", "direction")
    emma = edition.emma_starts_on - 1
    railway = state.railway
    if step.reverse:
        railway, emma = railway.reversed(), len(railway) - 1 - emma
    dealt = tuple(
        Player(0 if number == state.setup.automaton else edition.hand_cards) for number in range(len(state.players))
    )
    removed = edition.removed[mode]
    left = state.draw_pile + len(state.set_aside) - removed - sum(player.hand for player in dealt)
    return replace(
        state,
        phase=Phase.DRAWING,
        railway=railway,
        emma=emma,
        set_aside=(),
        removed=removed,
        draw_pile=left,
        players=dealt,
        active=step.starter,
        outcome=NOTHING,
    )
