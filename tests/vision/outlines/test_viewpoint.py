"""The viewpoint worked out from cards, against the camera that saw them."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.arrays import Points
from vision.cards import CARD_MM
from vision.outlines import viewpoint as viewpoint_module
from vision.outlines.viewpoint import Viewpoint, estimate_viewpoint
from vision.rendering import Camera, camera_above

SIZE = (1640, 1232)
CENTRES = ((150, 150), (300, 180), (420, 420), (650, 300))


def cards_seen(camera: Camera, centres: Sequence[tuple[int, int]], noise_px: float = 0.0) -> NDArray[np.float64]:
    width, height = CARD_MM
    corners = []
    for turn, (x, y) in enumerate(centres):
        angle = np.deg2rad(35.0 * turn)
        across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        outline = (x, y) + signs * (width / 2, height / 2) @ np.array([across, down])
        corners.append(camera.project(np.column_stack([outline, np.zeros(4)])))
    return np.array(corners) + np.random.default_rng(5).normal(0, noise_px, (len(centres), 4, 2))


def lean(viewpoint: Viewpoint, points_px: Points) -> Points:
    """How far (n × 2, in mm on the table for each mm of height) things lean outwards at these pixels (n × 2)."""
    return viewpoint.on_table(points_px) / viewpoint.height_mm


def true_lean(camera: Camera, at_px: NDArray[np.float64]) -> NDArray[np.float64]:
    away = camera.on_table(at_px) - camera.position[:2]
    return np.hypot(*(away / -camera.position[2]).T)


@pytest.mark.parametrize("tilt_deg", [0, 8, 17, 26])
@pytest.mark.parametrize("heading_deg", [0, 130])
def test_how_far_things_lean_is_known_from_a_few_cards(tilt_deg: float, heading_deg: float) -> None:
    camera = camera_above((400, 300), 820, SIZE, tilt_deg=tilt_deg, heading_deg=heading_deg)
    corners = cards_seen(camera, CENTRES, noise_px=0.5)
    viewpoint = estimate_viewpoint(corners, CARD_MM, SIZE)
    middles = corners.mean(axis=1)
    assert np.hypot(*lean(viewpoint, middles).T) == pytest.approx(true_lean(camera, middles), abs=0.08)


@pytest.mark.parametrize("tilt_deg", [0, 15, 25])
def test_a_single_card_tells_it_roughly(tilt_deg: float) -> None:
    camera = camera_above((400, 300), 820, SIZE, tilt_deg=tilt_deg)
    corners = cards_seen(camera, CENTRES[3:], noise_px=0.3)
    viewpoint = estimate_viewpoint(corners, CARD_MM, SIZE)
    middles = corners.mean(axis=1)
    assert np.hypot(*lean(viewpoint, middles).T) == pytest.approx(true_lean(camera, middles), abs=0.2)


def test_a_top_appears_where_its_lean_says() -> None:
    camera = camera_above((400, 300), 820, SIZE, tilt_deg=18, heading_deg=20)
    corners = cards_seen(camera, CENTRES)
    viewpoint = estimate_viewpoint(corners, CARD_MM, SIZE)
    for x, y in CENTRES:
        foot, top = camera.project([(x, y, 0), (x, y, -22)])
        stands, appears = viewpoint.on_table(np.array([foot, top]))
        leant = stands + 22 * lean(viewpoint, foot[None])[0]
        assert np.abs(appears - leant).max() < 1.5


def test_distances_on_the_table_are_millimetres() -> None:
    camera = camera_above((400, 300), 820, SIZE, tilt_deg=12)
    viewpoint = estimate_viewpoint(cards_seen(camera, CENTRES), CARD_MM, SIZE)
    one, other = viewpoint.on_table(camera.project([(200, 200, 0), (500, 400, 0)]))
    assert np.hypot(*(one - other)) == pytest.approx(np.hypot(300, 200), rel=0.01)


@pytest.mark.parametrize("bend", [-0.12, 0.0, 0.05])
def test_what_lies_far_from_the_cards_is_seen_where_it_is_told(bend: float) -> None:
    camera = camera_above((400, 300), 700, SIZE, tilt_deg=20, distortion=(bend, 0, 0, 0, 0))
    known = [(x, y) for x in (150, 350, 550, 650) for y in (120, 300, 480)]
    viewpoint = estimate_viewpoint(cards_seen(camera, known, noise_px=0.3), CARD_MM, SIZE)
    one, other = (250, 200), (600, 400)
    start, end = viewpoint.on_table(camera.project([(*one, 0), (*other, 0)]))
    assert np.hypot(*(end - start)) == pytest.approx(np.hypot(350, 200), rel=0.003)
    back = viewpoint.in_picture(np.array([start, end]))
    assert np.abs(back - camera.project([(*one, 0), (*other, 0)])).max() < 0.05


def test_a_card_read_wrongly_does_not_tilt_the_table() -> None:
    camera = camera_above((400, 300), 820, SIZE, tilt_deg=12)
    corners = cards_seen(camera, CENTRES, noise_px=0.3)
    wrong = np.concatenate([corners, corners[:1] * 0.8 + np.array([(0, 0), (30, 10), (0, 40), (0, 0)])])
    viewpoint = estimate_viewpoint(wrong, CARD_MM, SIZE)
    one, other = viewpoint.on_table(camera.project([(200, 200, 0), (500, 400, 0)]))
    assert np.hypot(*(one - other)) == pytest.approx(np.hypot(300, 200), rel=0.02)


@pytest.mark.parametrize(("tilt_deg", "heading_deg"), [(13, 20), (45, 200)])
def test_the_viewpoint_is_the_same_whatever_it_was_taken_to_be_near(tilt_deg: float, heading_deg: float) -> None:
    """Near is what was known before a card more was found, but then most others may have been read wrongly."""
    corners = cards_seen(camera_above((400, 300), 820, SIZE, tilt_deg=12, heading_deg=20), CENTRES, noise_px=0.3)
    other = camera_above((400, 300), 820, SIZE, tilt_deg=tilt_deg, heading_deg=heading_deg)
    near = estimate_viewpoint(cards_seen(other, CENTRES, noise_px=0.3), CARD_MM, SIZE)
    found, usual = estimate_viewpoint(corners, CARD_MM, SIZE, near), estimate_viewpoint(corners, CARD_MM, SIZE)
    np.testing.assert_allclose(*(one.on_table(corners.reshape(-1, 2)) for one in (found, usual)), atol=0.05)


def test_a_viewpoint_that_is_known_already_is_where_the_search_begins() -> None:
    camera = camera_above((400, 300), 820, SIZE, tilt_deg=25, heading_deg=200, distortion=(-0.1, 0, 0, 0, 0))
    known = estimate_viewpoint(cards_seen(camera, CENTRES), CARD_MM, SIZE)
    tilts_and_lens = viewpoint_module.parameters_of(known, known.focal_px / 1.1)
    np.testing.assert_allclose(viewpoint_module.upright_turns(tilts_and_lens[None])[0], known.upright, atol=1e-9)
    assert tilts_and_lens[2:] == pytest.approx([np.log(1.1), known.bend])


def test_a_steep_camera_is_not_taken_for_another_that_three_cards_suit_badly() -> None:
    cards = [
        [(1132.9, 736.5), (1143.3, 845.8), (980.2, 848.7), (974.4, 738.8)],
        [(972.9, 740.8), (981.7, 850.8), (817.1, 857.1), (813.0, 746.7)],
        [(652.8, 885.9), (534.6, 891.6), (537.1, 737.3), (650.6, 731.6)],
    ]
    far_off = np.array([(304.2, 353.8), (312.5, 274.8), (445.2, 264.2), (440.9, 343.2)])
    on_table = estimate_viewpoint(np.array(cards), CARD_MM, SIZE).on_table(far_off)
    sides = np.linalg.norm(np.roll(on_table, -1, axis=0) - on_table, axis=1)
    assert sides == pytest.approx([*CARD_MM, *CARD_MM], rel=0.05)
