"""Things pushed over the table as one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from vision.cards import Motion, Pose

Key = TypeVar("Key")


def pushed(poses: Mapping[Key, Pose], right_mm: float, down_mm: float, turn_deg: float = 0.0) -> dict[Key, Pose]:
    """Where things lie that have been pushed as one, and turned around their middle."""
    if not poses:
        return {}
    middle = middle_of(poses.values())
    motion = Motion.onto(middle, middle.moved(right_mm, down_mm, turn_deg))
    return {key: motion(pose) for key, pose in poses.items()}


def middle_of(poses: Collection[Pose]) -> Pose:
    """The middle of things that lie there; there is at least one."""
    x, y = (sum(side) / len(poses) for side in zip(*((pose.x_mm, pose.y_mm) for pose in poses), strict=True))
    return Pose(x, y)
