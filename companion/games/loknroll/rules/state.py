"""The state of a game: everything that lies on the table, and what may happen next. States never change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from companion.games.loknroll.rules.edition import Edition, Mode
from companion.games.loknroll.rules.errors import Impossible, NotAllowed
from companion.games.loknroll.rules.railway.railway import Railway
from vision.cards import Deck, Face


class Phase(StrEnum):
    """What the game waits for."""

    SETTING_UP = "setting-up"
    DRAWING = "drawing"
    ACTING = "acting"
    BUILDING = "building"
    DISCARDING = "discarding"
    PUTTING = "putting"
    LAYING_OPEN = "laying-open"
    OVER = "over"


class Setup(msgspec.Struct, frozen=True):
    """What is agreed before a game: edition, deck, mode, and the players' names clockwise, the automaton last.

    Without ``rails`` the railway is an ordered list and only values are checked.
    """

    edition: Edition
    deck: Deck
    mode: Mode
    names: tuple[str, ...]
    rails: bool

    @property
    def automaton(self) -> int | None:
        """The automaton's number."""
        return 1 if self.mode is Mode.BETSY else None


class Player(msgspec.Struct, frozen=True):
    """What lies before a player. The hand is known by its size until it is laid open."""

    hand: int = 0
    pile: tuple[Face, ...] = ()
    derailments: int = 0

    @property
    def top(self) -> Face | None:
        """The card on the top of the discard pile."""
        return self.pile[-1] if self.pile else None


class PutDown(msgspec.Struct, frozen=True):
    """A card that came onto a pile, or combined with its top and went with it into the box."""

    face: Face
    combined: bool


class Outcome(msgspec.Struct, frozen=True):
    """What a step did by itself: for the sentence on the screen, and for the record.

    ``moved`` counts cards that Emma went forward, ``missing`` the steps left when she derailed, ``broken`` the broken
    tracks that cost a card, ``taken`` the penalty cards from the rear in their order, ``waived`` those that were due
    but not taken (PEN2).
    """

    moved: int = 0
    missing: int = 0
    broken: int = 0
    taken: tuple[Face, ...] = ()
    waived: int = 0
    put: tuple[PutDown, ...] = ()
    dead_end: bool = False


NOTHING = Outcome()


class State(msgspec.Struct, frozen=True):
    """A game at one moment.

    ``emma`` is the index of her card from the rear. ``laid`` counts the cards laid in this turn, ``taken`` holds the
    penalty cards that the active player has still to put down, ``drawn`` the card drawn openly for the automaton.
    The box holds the cards removed unseen, which are only counted, and those combined or put away in the game.
    """

    setup: Setup
    phase: Phase = Phase.SETTING_UP
    railway: Railway = Railway()
    emma: int | None = None
    draw_pile: int = 0
    set_aside: tuple[Face, ...] = ()
    removed: int = 0
    box: tuple[Face, ...] = ()
    players: tuple[Player, ...] = ()
    active: int = 0
    turn: int = 0
    laid: int = 0
    drawn: Face | None = None
    taken: tuple[Face, ...] = ()
    outcome: Outcome = NOTHING

    @property
    def player(self) -> Player:
        """The active player."""
        return self.players[self.active]

    @property
    def is_automatons_turn(self) -> bool:
        """Whether the automaton is the active player."""
        return self.active == self.setup.automaton

    @property
    def is_lost(self) -> bool:
        """Whether the hard solo game has been lost by one derailment too many (SOLO2)."""
        limit = self.setup.edition.most_derailments
        return self.setup.mode is Mode.SOLO_HARD and self.players[0].derailments > limit

    def seen(self) -> Counter[str]:
        """How often each face lies open, or has been seen going into the box."""
        piles = (face for player in self.players for face in player.pile)
        drawn = (self.drawn,) if self.drawn else ()
        everything = (*self.railway.faces, *self.set_aside, *self.box, *self.taken, *drawn, *piles)
        return Counter(face.id for face in everything)

    def unseen(self) -> Counter[str]:
        """How often each face may still come: from the draw pile, a hand, or the box."""
        return Counter({face.id: face.count for face in self.setup.deck.faces}) - self.seen()


def set_up(edition: Edition, deck: Deck, mode: Mode, names: Sequence[str], *, rails: bool | None = None) -> State:
    """The state before the first card is laid; raises NotAllowed.

    ``names`` are the people's; the automaton has its own. ``rails`` is whether places are checked, by default
    wherever the deck's rails are known.
    """
    if deck.size != edition.cards:
        raise NotAllowed("MAT1", "cards-in-deck", count=deck.size, needed=edition.cards)
    if sum(face.is_track for face in deck.cards()) < edition.start_cards:
        raise NotAllowed("SET2", "too-few-tracks", needed=edition.start_cards)
    if mode not in edition.modes:
        raise NotAllowed("SET6", "mode", mode=mode.value, allowed=[allowed.value for allowed in edition.modes])
    if len(names) != mode.persons:
        raise NotAllowed("SET2", "names", mode=mode.value, count=len(names), needed=mode.persons)
    if rails and not deck.has_rails:
        raise NotAllowed("MAT4", "rails")
    if mode is Mode.BETSY:
        names = (*names, edition.automaton)
    setup = Setup(edition, deck, mode, tuple(names), deck.has_rails if rails is None else rails)
    return State(setup, draw_pile=deck.size, players=(Player(),) * len(names))


def find_face(state: State, face_id: str) -> Face:
    """The face with this id, of which not all cards have been seen yet; raises Impossible."""
    face = known_face(state, face_id)
    if state.seen()[face_id] >= face.count:
        raise Impossible("MAT1", "no-more-of-it", card=face, count=face.count)
    return face


def known_face(state: State, face_id: str) -> Face:
    """The face with this id; raises Impossible."""
    if face_id not in state.setup.deck:
        raise Impossible("MAT1", "unknown-card", card=face_id)
    return state.setup.deck[face_id]


def with_player(state: State, index: int, player: Player) -> tuple[Player, ...]:
    """The players, one of them replaced."""
    return (*state.players[:index], player, *state.players[index + 1 :])


def total(faces: Iterable[Face]) -> int:
    """The values of these cards added up (END3)."""
    return sum(face.value for face in faces)
