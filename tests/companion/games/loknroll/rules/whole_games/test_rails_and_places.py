"""Whole games on a table with rails: how they run on, and where a card may be laid."""

from collections.abc import Iterator
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.loknroll.rules import (
    Game,
    Lay,
    Phase,
    StartCard,
    State,
    allowed_steps,
)
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import OVERLAP_TOLERANCE_MM
from companion.games.loknroll.rules.railway.railway import LaidCard, Railway
from tests.companion.games.loknroll.rules.whole_games.plans import draw_plan, in_every_edition_and_mode
from vision.cards import Edge, Face, Pose

TURNS = (1, 1j, -1, -1j)
OUT = {Edge.N: -1j, Edge.E: 1, Edge.S: 1j, Edge.W: -1}


def port_at(face: Face, port: int) -> complex:
    """Where a port lies from the card's centre: x and y in mm as a complex number."""
    edge, offset = face.ports[port].edge, face.ports[port].offset_mm
    along = 1 if edge in {Edge.N, Edge.S} else 1j
    return OUT[edge] * (face.size_mm[0] if OUT[edge].real else face.size_mm[1]) / 2 + offset * along


def rail_end(card: LaidCard, port: int) -> tuple[complex, complex]:
    """Where on the table the rails leave a card, and which way they look."""
    turn = TURNS[card.quarter_turn]
    centre = complex(card.pose.x_mm, card.pose.y_mm)
    return centre + turn * port_at(card.face, port), turn * OUT[card.face.ports[port].edge]


def rail_joining(railway: Railway, face: Face) -> Iterator[tuple[tuple[int, int, int], Pose]]:
    """Every port in every quarter turn at every open rail end: exit, entry and quarter turn, and the pose."""
    front = railway.front
    exits = (0, 1) if front.entry is None else (1 - front.entry,)
    for exit_port, entry, quarter_turn in product(exits, (0, 1), range(4)):
        end, _ = rail_end(front, exit_port)
        centre = end - TURNS[quarter_turn] * port_at(face, entry)
        yield (exit_port, entry, quarter_turn), Pose(centre.real, centre.imag, 90.0 * quarter_turn)


def lie_over_each_other(one: LaidCard, other: LaidCard) -> bool:
    (width, height), (other_width, other_height) = one.half_sides, other.half_sides
    across = width + other_width - abs(one.pose.x_mm - other.pose.x_mm)
    along = height + other_height - abs(one.pose.y_mm - other.pose.y_mm)
    return min(across, along) > OVERLAP_TOLERANCE_MM


@pytest.mark.long
@pytest.mark.rule("LAY2", "LAY3", "SET4")
@in_every_edition_and_mode
@given(st.data())
def test_rails_run_on_from_card_to_card_and_no_cards_overlap(edition: str, mode: str, data: st.DataObject) -> None:
    game = draw_plan(data, edition, mode, rails=True).played()
    for railway in dict.fromkeys(state.railway for state in game.states):
        for one, other in pairwise(railway.cards):
            out, into = rail_end(one, 1 - one.entry), rail_end(other, other.entry)
            assert out == (into[0], -into[1])
        assert not any(lie_over_each_other(*two) for two in combinations(railway.cards, 2))


def faces_to_try(state: State, random: Random) -> list[Face]:
    """A face that could be laid next as far as the table can tell."""
    if state.phase is Phase.SETTING_UP:
        waits = 0 < len(state.railway) < state.setup.edition.start_cards
    else:
        waits = Lay in allowed_steps(state) and (state.is_automatons_turn or state.player.hand > 0)
    if not waits:
        return []
    if state.drawn is not None:
        return [state.drawn]
    return [random.choice([face for face in state.setup.deck.faces if face.is_track and state.unseen()[face.id]])]


@pytest.mark.long
@pytest.mark.rule("LAY0", "LAY1", "LAY2", "LAY3", "LAY4", "LAY5", "SET4", "BET2")
@in_every_edition_and_mode
@given(st.data())
def test_listed_places_are_accepted_and_all_others_refused(edition: str, mode: str, data: st.DataObject) -> None:
    plan = draw_plan(data, edition, mode, rails=True)
    random = Random(plan.seed)
    for state in random.sample(states := plan.played().states, len(states) // 4):
        kind: Any = StartCard if state.phase is Phase.SETTING_UP else Lay
        for face in faces_to_try(state, random):
            listed = {(way.exit_port, way.entry, way.quarter_turn): way.pose for way in legal_placements(state, face)}
            joining = dict(rail_joining(state.railway, face))
            assert listed.items() <= joining.items()
            accepted = {key for key, pose in joining.items() if Game(state).can(kind(face.id, pose))}
            assert accepted == listed.keys()
