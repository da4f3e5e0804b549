"""Cards that people enter with the buttons, where no camera sees them."""

from __future__ import annotations

from companion.games.at_table.lists import ListEntry
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.chaos_cards import discard
from companion.games.loknroll.play.dialogs.choosing import FaceEntry, PlaceEntry
from companion.games.loknroll.rules import Discard, Draw, Lay, Phase, SetAside, StartCard, State
from companion.games.loknroll.rules.building import can_be_laid, legal_placements
from vision.cards import Face, Kind, Pose


def faces_left(state: State) -> list[Face]:
    """The faces of cards that nobody has seen yet."""
    unseen = state.unseen()
    return [face for face in state.setup.deck.faces if unseen[face.id]]


def enter_start_card(desk: Desk) -> None:
    """People say which card was drawn for the initial railway."""
    desk.open(FaceEntry(desk.word("title-which-card"), faces_left(desk.state), _start))


def _start(desk: Desk, face: Face) -> None:
    state = desk.state
    if not face.is_track:
        desk.do(SetAside(face.id))
    elif not state.setup.rails:
        if desk.game.can(StartCard(face.id)):
            _lay_or_set_aside(desk, face)
        else:
            desk.do(SetAside(face.id))
    elif not state.railway.cards:
        desk.lay(StartCard(face.id, Pose(0.0, 0.0)))
    elif places := legal_placements(state, face):
        title = desk.word("title-where")
        desk.open(PlaceEntry(title, face, places, lambda desk, place: desk.lay(StartCard(face.id, place.pose))))
    else:
        desk.do(SetAside(face.id))


def _lay_or_set_aside(desk: Desk, face: Face) -> None:
    """Without rails only people see whether there is a place."""

    def done(desk: Desk, chosen: int) -> None:
        desk.do(SetAside(face.id) if chosen else StartCard(face.id))

    if desk.game.can(SetAside(face.id)):
        titles = [desk.word("it-lies"), desk.word("it-is-set-aside")]
        desk.open(ListEntry(desk.word.face(face), titles, done))
    else:
        desk.do(StartCard(face.id))


def enter_drawn(desk: Desk) -> None:
    """People say which card they have drawn for the automaton."""

    def done(desk: Desk, face: Face) -> None:
        desk.do(Draw(face.id))

    desk.open(FaceEntry(desk.word("title-draw-for", player=desk.name), faces_left(desk.state), done))


def enter_card(desk: Desk) -> None:
    """People say which card they lay or discard."""
    faces = [face for face in faces_left(desk.state) if _can_be_played(desk, face)]
    if faces and desk.state.player.hand:
        desk.open(FaceEntry(desk.word("title-which-card"), faces, _play))


def _can_be_played(desk: Desk, face: Face) -> bool:
    if face.kind is Kind.CHAOS:
        return desk.game.can(Discard(face.id))
    return desk.state.phase is not Phase.DISCARDING and can_be_laid(desk.state, face)


def _play(desk: Desk, face: Face) -> None:
    if face.kind is Kind.CHAOS:
        discard(desk, face)
    elif not desk.state.setup.rails:
        desk.do(Lay(face.id))
    else:
        title, places = desk.word("title-where"), legal_placements(desk.state, face)
        desk.open(PlaceEntry(title, face, places, lambda desk, place: desk.lay(Lay(face.id, place.pose))))
