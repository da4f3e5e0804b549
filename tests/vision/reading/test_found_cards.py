"""What the cards that were found tell of how the table lies."""

import numpy as np

from tests.vision.test_viewpoint import SIZE, cards_seen
from vision.cards import CARD_MM
from vision.faces.alignment import Fit
from vision.faces.card_shape import CardShape
from vision.reading.found_cards import FoundCards
from vision.rendering import camera_above

IN_A_CORNER = ((120, 470), (185, 470), (250, 470))
AROUND = ((90, 90), (400, 300), (640, 470))
FAR_OFF = ((700, 110),)


def test_faint_cards_tell_how_the_table_lies_as_well_where_few_are_plain() -> None:
    """In the dark few are, and three in a corner, read a pixel or two off, tell little of the other one."""
    camera = camera_above((400, 300), 820, SIZE, tilt_deg=17, heading_deg=60)
    plain = [Fit(0, corners, 0.83) for corners in cards_seen(camera, IN_A_CORNER, noise_px=2.0)]
    faint = [Fit(0, corners, 0.75) for corners in cards_seen(camera, AROUND, noise_px=2.0)]
    cards = FoundCards([*plain, *faint], CardShape(CARD_MM), SIZE)
    (far_off,) = cards_seen(camera, FAR_OFF)
    on_table = cards.viewpoint().on_table(far_off)
    sides_mm = np.linalg.norm(np.roll(on_table, -1, axis=0) - on_table, axis=1)
    np.testing.assert_allclose(sides_mm, [63, 88, 63, 88], atol=3)
