"""Whole streams of pictures that others made, told as they were told by those who made them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.reading.taught_eye import Eye
from tests.vision.watching.sights import faces
from vision.watching.steady_view import SteadyView

SHARED = Path(__file__).parents[4] / "shared"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the pictures in ../shared are not here")
@pytest.mark.parametrize(
    ("folder", "first", "last"),
    [("meadow-betsy", 16, 25), pytest.param("meadow-two", 21, 30, marks=pytest.mark.further)],
)
def test_a_stream_that_others_made(meadow_eye: Eye, folder: str, first: int, last: int) -> None:
    view = SteadyView(meadow_eye.reader, meadow_eye.finder)
    frames = json.loads((SHARED / "frames" / folder / "truth.json").read_text())["frames"][first:last]
    numbers: dict[int, int] = {}
    for frame in frames:
        sight = view.look(cv2.imread(str(SHARED / "frames" / folder / frame["image"])))
        assert sight.hand == frame["hand"]
        if frame["hand"]:
            continue
        assert faces(sight) == sorted(card["face"] for card in frame["cards"])
        for card in frame["cards"]:
            corners = np.array(card["corners_px"])
            off = [np.linalg.norm(reading.corners_px - corners, axis=1).max() for reading in sight.cards]
            number = sight.serials[int(np.argmin(off))]
            assert min(off) < 12
            if not card["show"]:
                assert numbers.setdefault(card["serial"], number) == number
