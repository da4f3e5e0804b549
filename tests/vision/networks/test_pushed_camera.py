"""A camera that was pushed sees the same network elsewhere in its picture."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.games.locomotion.table.eyes import eyes
from companion.virtual.disturbances import moved_camera
from tests.vision.networks.rendered_networks import RenderedNetwork, rendered_network
from tests.vision.networks.test_network_eye import SMALL, check
from vision.arrays import Picture
from vision.networks.grid.lattice import Grid, found_grid
from vision.rendering import Hand, Renderer
from vision.watching.steady_view import no_still

_LOOKS = 4
"""So many pictures after a push all is as it was: a second and a half of the virtual camera, less of a real one."""


def on_stripes(piece: str, pieces: int, seed: int) -> RenderedNetwork:
    """A pattern that comes again and again: nobody can follow by it how far a camera was pushed."""
    table = rendered_network(piece, pieces, seed, size=SMALL)
    tabletop = replace(table.conditions.tabletop, kind="stripes")
    return with_camera(table._replace(conditions=table.conditions._replace(tabletop=tabletop)), 0, 0, 0)


def with_camera(table: RenderedNetwork, right_mm: float, down_mm: float, turn_deg: float) -> RenderedNetwork:
    camera = moved_camera(table.conditions.camera, right_mm, down_mm, turn_deg)
    pictures, tabletop = table.pictures, table.conditions.tabletop
    renderer = Renderer(camera, tabletop, pictures.faces, pictures.back, card_mm=pictures.deck.card_mm)
    return table._replace(renderer=renderer)


def with_hand(table: RenderedNetwork) -> RenderedNetwork:
    hand = Hand((330.0, 330.0), 195.0, height_mm=12.0, sleeve=(120, 60, 60))
    return table._replace(scene=replace(table.scene, hands=(hand,)))


@pytest.mark.parametrize(
    ("piece", "pieces", "seed", "push"),
    [
        pytest.param("D", 9, 1, (2.0, 3.0, 0.7), id="so little that most pieces seem to lie as before"),
        pytest.param("X", 14, 2, (9.0, -6.0, 1.6), id="so that the pattern at the border seems to be a hand"),
        pytest.param("D", 14, 4, (2.0, 3.0, 0.7), id="where few dots are bare"),
    ],
)
def test_all_is_as_it_was_when_the_camera_was_pushed(
    piece: str, pieces: int, seed: int, push: tuple[float, float, float]
) -> None:
    table = on_stripes(piece, pieces, seed)
    eye = eyes(table.pictures)
    for look in range(6):
        reading = eye.look(table.photograph(look, vehicles=look > 2), table.told(), no_still)
    check(eye, reading.network, table)
    pushed = with_camera(table, *push)
    for look in range(_LOOKS):
        reading = eye.look(pushed.photograph(look), table.told(), no_still)
    assert not reading.hand
    check(eye, reading.network, pushed)


def test_pieces_between_which_people_leave_gaps_are_not_searched_for_at_every_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = rendered_network("T", 13, 3, size=SMALL)
    random = Random(3)
    cards = tuple(
        replace(card, pose=card.pose.moved(*(random.uniform(-2.5, 2.5) for _ in range(3))))
        for card in table.scene.cards
    )
    table = table._replace(scene=replace(table.scene, cards=cards, vehicles=table.scene.vehicles[:4]))
    eye = eyes(table.pictures)
    for look in range(6):
        eye.look(table.photograph(look, vehicles=False), table.told(), no_still)
    searched = counted_searches(monkeypatch)
    for look in range(_LOOKS):
        reading = eye.look(table.photograph(look), table.told(), no_still)
    assert reading.network is not None
    assert len(reading.network.vehicles) == len(table.scene.vehicles)
    assert not searched


def counted_searches(monkeypatch: pytest.MonkeyPatch) -> list[Picture]:
    """The pictures in which a grid is searched for from now on."""
    searched = []

    def counted(picture: Picture) -> Grid | None:
        searched.append(picture)
        return found_grid(picture)

    monkeypatch.setattr("vision.networks.network_eye.found_grid", counted)
    return searched


def test_while_a_hand_rests_nothing_is_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a camera that was not pushed: that takes a small computer a second each time."""
    searched = counted_searches(monkeypatch)
    for seed in (1, 2, 4):
        table = on_stripes("X", 14, seed)
        eye = eyes(table.pictures)
        for look in range(6):
            eye.look(table.photograph(look, vehicles=look > 2), table.told(), no_still)
        assert searched
        searched.clear()
        hand = with_hand(table)
        for look in range(_LOOKS):
            assert eye.look(hand.photograph(look), table.told(), no_still).hand
        assert not searched


def test_a_hand_that_has_come_while_the_camera_was_pushed_is_one() -> None:
    table = on_stripes("X", 14, 2)
    eye = eyes(table.pictures)
    for look in range(6):
        eye.look(table.photograph(look, vehicles=look > 2), table.told(), no_still)
    pushed = with_camera(table, 9.0, -6.0, 1.6)
    hand = with_hand(pushed)
    for look in range(_LOOKS):
        assert eye.look(hand.photograph(look), table.told(), no_still).hand
