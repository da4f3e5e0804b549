"""Emma and the dice, measured on their nets."""

import cv2
import numpy as np
import pytest

from companion.games.drawing.raster import rasterized
from companion.games.loknroll.printing import dice, emma
from companion.games.loknroll.rules import edition_names, load_edition

PX = 10


def measured(mask: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height in mm of each connected part of at least 3 mm²."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    return [tuple(float(side) / PX for side in part[:4]) for part in stats[1:] if part[cv2.CC_STAT_AREA] > 3 * PX**2]


def test_emma_is_36_by_15_by_22_mm_and_her_net_closes() -> None:
    net = rasterized(emma.emma_net(), PX).min(axis=2)
    without_lines = cv2.morphologyEx((net < 60).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5)))
    dark = cv2.morphologyEx(without_lines, cv2.MORPH_CLOSE, np.ones((25, 25)))
    (left, top, width, height), *_ = sorted(measured(dark > 0), key=lambda part: -part[2])
    # In a row: back, bottom, front, boiler, front of the cab, roof. Across: a side, the bottom, a side.
    assert width == pytest.approx(22 + 36 + 14 + 23 + 8 + 13, abs=0.5)
    assert height == pytest.approx(22 + 15 + 22, abs=0.5)
    column = net[:, round((left + 22 + 6.5) * PX)]
    bottom = np.flatnonzero(column > 240)
    assert np.ptp(bottom[(bottom > (top + 20) * PX) & (bottom < (top + 40) * PX)]) / PX == pytest.approx(15, abs=1)


def test_emmas_roof_has_a_light_arrow_that_points_to_her_front() -> None:
    """Her front is on the left of her roof; the arrow's tip is narrow, its wings are not."""
    net = rasterized(emma.emma_net(), PX).min(axis=2)
    right = net.shape[1] / PX - 4
    row = emma.HIGH + 4 + emma.WIDE / 2
    roof = (
        net[round((row - 5.5) * PX) : round((row + 5.5) * PX), round((right - 11.5) * PX) : round((right - 1.5) * PX)]
        > 200
    )
    columns = np.flatnonzero(roof.any(axis=0))
    tall = roof.sum(axis=0) / PX
    assert tall[columns[0] + 4] < 2
    assert tall.max() > 8
    assert tall[: len(tall) // 2 + 10].argmax() > columns[0] + 30
    assert tall[columns[-1] - 5] == pytest.approx(4, abs=0.3)


@pytest.mark.parametrize("name", edition_names())
@pytest.mark.rule("MAT3")
def test_a_die_shows_the_wheels_of_its_edition(name: str) -> None:
    die = load_edition(name).die
    net = rasterized(dice.die_net(die), PX).min(axis=2) < 100
    shown = []
    for column, row in ((0, 1), (1, 1), (2, 1), (3, 1), (1, 0), (1, 2)):
        left, top = (round((0.5 + place * dice.CUBE + 0.6) * PX) for place in (column, row))
        face = net[top : top + 148, left : left + 148]
        shown.append(len(measured(face)) if face.any() else 0)
    assert sorted(shown) == sorted(die)


def test_a_die_is_a_cube_of_16_mm() -> None:
    net = rasterized(dice.die_net((0,) * 6), PX).min(axis=2) < 250
    (_, _, width, height), *_ = measured(net)
    assert (width, height) == pytest.approx((4 * 16 + 4, 3 * 16), abs=0.3)


def test_a_die_has_six_faces() -> None:
    with pytest.raises(ValueError, match="shorter"):
        dice.die_net((1, 0, 1))
