"""The camera against OpenCV's own, and against itself."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.rendering import Camera, camera_above


def by_opencv(camera: Camera, points: np.ndarray) -> np.ndarray:
    turn, _ = cv2.Rodrigues(np.array(camera.rotation))
    seen, _ = cv2.projectPoints(
        points, turn, np.array(camera.translation), np.array(camera.matrix), np.array(camera.distortion)
    )
    return seen.reshape(-1, 2)


@given(
    tilt=st.floats(0, 35),
    heading=st.floats(0, 360),
    roll=st.floats(-10, 10),
    height=st.floats(500, 1500),
    bend=st.floats(-0.2, 0.1),
)
def test_points_appear_where_opencv_puts_them(
    tilt: float, heading: float, roll: float, height: float, bend: float
) -> None:
    camera = camera_above(
        (400, 300),
        height,
        tilt_deg=tilt,
        heading_deg=heading,
        roll_deg=roll,
        distortion=(bend, 0.02, 0.001, -0.002, 0.003),
    )
    points = np.random.default_rng(0).uniform((0, 0, -60), (800, 600, 0), (40, 3))
    assert np.abs(camera.project(points) - by_opencv(camera, points)).max() < 1e-6


def test_a_pixel_sees_the_point_that_appears_there(slanted: Camera) -> None:
    pixels = np.random.default_rng(1).uniform((0, 0), slanted.size, (200, 2))
    points = np.column_stack([slanted.on_table(pixels), np.zeros(200)])
    assert np.abs(slanted.project(points) - pixels).max() < 0.01


def test_the_map_of_the_table_is_right_to_a_twentieth_of_a_pixel(slanted: Camera) -> None:
    rows, columns = np.mgrid[0:1232:41, 0:1640:37]
    seen = slanted.table_map[rows, columns].reshape(-1, 2)
    pixels = slanted.project(np.column_stack([seen, np.zeros(len(seen))]))
    assert np.abs(pixels - np.column_stack([columns.ravel(), rows.ravel()])).max() < 0.05


def test_the_camera_looks_at_its_target_from_its_height_and_side() -> None:
    camera = camera_above((400, 300), 900, (1000, 800), tilt_deg=20)
    assert camera.project([(400, 300, 0)])[0] == pytest.approx((500, 400))
    assert camera.position[2] == pytest.approx(-900)
    assert camera.position[1] > 300  # from the players' side
    left, right = camera.project([(300, 300, 0), (500, 300, 0)])
    assert left[0] < right[0]
    high, low = camera.project([(400, 300, -50), (400, 300, 0)])
    assert high[1] < low[1]  # what stands up leans away


def test_the_field_of_view_is_across_the_picture() -> None:
    camera = camera_above((0, 0), 1000, (1600, 1200), field_of_view_deg=90)
    assert camera.project([(-1000, 0, 0), (1000, 0, 0)])[:, 0] == pytest.approx((0, 1600))
