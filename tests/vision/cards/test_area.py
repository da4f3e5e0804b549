"""Rectangles that lie within the usable part of a table, or reach out of it."""

from hypothesis import given
from hypothesis import strategies as st

from vision.cards.area import Area, Box, turned

AREA = Area(-300, -200, 700, 450)
SIDES = st.floats(1, 150)
PLACES = st.floats(-400, 400)


@given(PLACES, PLACES, SIDES, SIDES, st.floats(-360, 360), st.floats(0.001, 5))
def test_a_turned_rectangle_is_held_as_long_as_all_its_corners_are(
    x: float, y: float, half_width: float, half_height: float, angle_deg: float, slack_mm: float
) -> None:
    corners = [
        turned((x + across * half_width, y + down * half_height), angle_deg) for across in (-1, 1) for down in (-1, 1)
    ]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    width, height = max(x for x, _ in corners) - left, max(y for _, y in corners) - top
    box = Box(x, y, half_width, half_height)
    around = Area(left - slack_mm, top - slack_mm, width + 2 * slack_mm, height + 2 * slack_mm)
    assert around.holds(box, angle_deg)
    for cut in (
        around._replace(x_mm=left + slack_mm),
        around._replace(y_mm=top + slack_mm),
        around._replace(width_mm=width),
        around._replace(height_mm=height),
    ):
        assert not cut.holds(box, angle_deg)


def test_a_rectangle_may_touch_the_border() -> None:
    assert AREA.holds(Box(-300 + 31.5, -200 + 44, 31.5, 44))
    assert AREA.holds(Box(400 - 31.5, 250 - 44, 31.5, 44))
    assert not AREA.holds(Box(400 - 31.4, 250 - 44, 31.5, 44))
