"""Poses and motions, against matrices."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.cards import Motion, Pose

LENGTHS = st.floats(-1000, 1000)
ANGLES = st.floats(-720, 720)
POSES = st.builds(Pose, LENGTHS, LENGTHS, ANGLES)
MOTIONS = st.builds(Motion, LENGTHS, LENGTHS, ANGLES)


def matrix(pose: Pose) -> NDArray[np.float64]:
    """What takes the points of a thing onto the table."""
    cos, sin = math.cos(math.radians(pose.rotation_deg)), math.sin(math.radians(pose.rotation_deg))
    return np.array([[cos, -sin, pose.x_mm], [sin, cos, pose.y_mm], [0, 0, 1]])


def matrix_of(motion: Motion) -> NDArray[np.float64]:
    return matrix(motion(Pose(0, 0)))


def same(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return np.allclose(one, other, atol=1e-6)


@given(MOTIONS, POSES)
def test_a_motion_is_a_matrix(motion: Motion, pose: Pose) -> None:
    assert same(matrix(motion(pose)), matrix_of(motion) @ matrix(pose))
    assert 0 <= motion(pose).rotation_deg <= 360


@given(MOTIONS, LENGTHS, LENGTHS)
def test_points_move_as_poses_do(motion: Motion, x: float, y: float) -> None:
    there = motion(Pose(x, y))
    assert motion.point((x, y)) == pytest.approx((there.x_mm, there.y_mm))


@given(MOTIONS, MOTIONS)
def test_two_motions_after_each_other(first: Motion, second: Motion) -> None:
    assert same(matrix_of(second.after(first)), matrix_of(second) @ matrix_of(first))


@given(MOTIONS)
def test_the_inverse_leads_back(motion: Motion) -> None:
    assert same(matrix_of(motion.inverse()), np.linalg.inv(matrix_of(motion)))
    assert same(matrix_of(motion.inverse().after(motion)), np.eye(3))


@given(POSES, POSES)
def test_the_motion_of_one_pose_onto_another(here: Pose, there: Pose) -> None:
    assert same(matrix(Motion.onto(here, there)(here)), matrix(there))


@given(POSES, POSES, st.floats(0, 1))
def test_on_the_way_to_another_pose(one: Pose, other: Pose, share: float) -> None:
    between = one.towards(other, share)
    assert between.distance_mm(one) == pytest.approx(share * one.distance_mm(other), abs=1e-6)
    assert same(matrix(one.towards(other, 1)), matrix(other))
    turned = (between.rotation_deg - one.rotation_deg + 180) % 360 - 180
    assert abs(turned) <= 180 * share + 1e-6


def test_rounded_to_hundredths() -> None:
    assert Pose(1.23456, -2.3456, 359.999).rounded() == Pose(1.23, -2.35, 360.0)
