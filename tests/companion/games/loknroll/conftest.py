"""Games that stand at a wanted moment.

Cards are written short: ``2`` is some plain track card of value 2, ``b2`` a broken track, ``c2`` a chaos card; any
other word is the id of a face. ``"1 b2 3"`` is a row of three cards.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
import pytest

from companion.games.loknroll.rules import (
    AnyStep,
    Begin,
    Edition,
    Game,
    Mode,
    StartCard,
    State,
    load_edition,
    set_up,
    with_knobs,
)
from vision.cards import Deck, Face, Kind, Pose, standard_deck

NAMES = ("Ann", "Ben", "Cem", "Dan")
LETTERS = {Kind.TRACK: "", Kind.BROKEN: "b", Kind.CHAOS: "c"}

Laid = Sequence[tuple[str, Pose]]


def short(face: Face) -> str:
    return f"{LETTERS[face.kind]}{face.value}"


def picked(deck: Deck, words: str, unseen: Counter[str]) -> tuple[Face, ...]:
    faces: list[Face] = []
    for word in words.split():
        fitting = [deck[word]] if word in deck else [face for face in deck.faces if short(face) == word]
        face = next(face for face in fitting if unseen[face.id])
        unseen[face.id] -= 1
        faces.append(face)
    return tuple(faces)


def edition_for(name: str, knobs: dict[str, Any]) -> Edition:
    return with_knobs(load_edition(name), {knob: str(value).lower() for knob, value in knobs.items()})


@pytest.fixture
def new_game() -> Callable[..., Game]:
    """A game before its first card. Keywords that are not named are knobs of the edition."""

    def build(
        mode: Mode = Mode.TWO,
        edition: str = "german",
        *,
        rails: bool = False,
        deck: Deck | None = None,
        **knobs: object,
    ) -> Game:
        chosen = edition_for(edition, knobs)
        deck = deck or standard_deck(chosen.deck)
        return Game(set_up(chosen, deck, mode, NAMES[: mode.persons], rails=rails))

    return build


@pytest.fixture
def table(new_game: Callable[..., Game]) -> Callable[..., Game]:
    """A game whose first turn begins: real steps lead to the railway and to Emma's place on it.

    ``emma`` counts from the rear, from 0. What lies before the players and in the draw pile is put there afterwards.
    """

    def build(
        railway: str | Laid = "1 1 1 1",
        emma: int = 2,
        mode: Mode = Mode.TWO,
        *,
        starter: int | None = None,
        reverse: bool = False,
        piles: Sequence[str] = (),
        hands: Sequence[int] = (),
        derailments: int = 0,
        draw_pile: int | None = None,
        **more: object,
    ) -> Game:
        laid = [(word, None) for word in railway.split()] if isinstance(railway, str) else railway
        game = new_game(
            mode, rails=not isinstance(railway, str), **({"start_cards": len(laid), "emma_starts_on": emma + 1} | more)
        )
        deck = game.state.setup.deck
        for word, pose in laid:
            (face,) = picked(deck, word, game.state.unseen())
            game.do(StartCard(face.id, pose))
        automaton_starts = mode is Mode.BETSY and game.state.setup.edition.automaton_starts
        game.do(Begin(int(automaton_starts) if starter is None else starter, reverse))
        return Game(dressed(game.state, piles, hands, derailments, draw_pile))

    return build


def dressed(state: State, piles: Sequence[str], hands: Sequence[int], derailments: int, draw_pile: int | None) -> State:
    unseen = state.unseen()
    players = list(state.players)
    for number, words in enumerate(piles):
        pile = picked(state.setup.deck, words, unseen)
        players[number] = msgspec.structs.replace(players[number], pile=pile)
    for number, hand in enumerate(hands):
        players[number] = msgspec.structs.replace(players[number], hand=hand)
    players[0] = msgspec.structs.replace(players[0], derailments=derailments)
    left = state.draw_pile if draw_pile is None else draw_pile
    return msgspec.structs.replace(state, players=tuple(players), draw_pile=left)


@pytest.fixture
def do() -> Callable[..., State]:
    """Does several steps and returns the last state."""

    def steps_done(game: Game, *steps: AnyStep) -> State:
        for step in steps:
            game.do(step)
        return game.state

    return steps_done


@pytest.fixture
def row() -> Callable[[Iterable[Face]], str]:
    """A row of cards in short words."""
    return lambda faces: " ".join(short(face) for face in faces)


@pytest.fixture
def column() -> list[tuple[str, Pose]]:
    """Four straight cards of value 1 one above the other, running upwards; the open end lies at (0, -352)."""
    return [("track-1-straight", Pose(0, -44 - 88 * number)) for number in range(4)]


@pytest.fixture
def almost_a_loop() -> list[tuple[str, Pose]]:
    """Five cards of a ring of six: straight, left, left, straight, left; ``closing`` brings it back to (0, 0)."""
    return [
        ("track-1-straight", Pose(0, -44, 0)),
        ("track-1-left", Pose(0, -132, 0)),
        ("track-1-left", Pose(-75.5, -132, 270)),
        ("track-1-straight", Pose(-75.5, -56.5, 180)),
        ("track-1-left", Pose(-75.5, 31.5, 180)),
    ]


@pytest.fixture
def closing() -> Pose:
    """Where a left card closes the ring of ``almost_a_loop``."""
    return Pose(0, 31.5, 90)


@pytest.fixture
def hook() -> list[tuple[str, Pose]]:
    """Two straight cards upwards and two lefts: the track comes back down beside its second card."""
    return [
        ("track-1-straight", Pose(0, -44, 0)),
        ("track-1-straight", Pose(0, -132, 0)),
        ("track-1-left", Pose(0, -220, 0)),
        ("track-1-left", Pose(-75.5, -220, 270)),
    ]


@pytest.fixture
def into_the_wall() -> Pose:
    """Where a left card after ``hook`` points the track at the second card, 12.5 mm away."""
    return Pose(-75.5, -144.5, 180)
