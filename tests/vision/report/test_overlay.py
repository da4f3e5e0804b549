"""What is written into a picture can be read."""

from itertools import combinations

import numpy as np
import pytest

from vision.faces.hidden_map import HiddenMap
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading
from vision.report import overlay as module
from vision.report.labels import Label, laid_out
from vision.report.overlay import overlay

WIDE, HIGH = 1640, 1232


def dense_table() -> list[CardReading]:
    """Fifty-five cards of half their usual size, upright and across by turns, that nearly touch each other."""
    cards = []
    for index in range(55):
        width, height = (62, 88) if index % 2 else (88, 62)
        x, y = 120 + index % 11 * 92, 100 + index // 11 * 92
        sides = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        corners = np.array([(x + across * width / 2, y + down * height / 2) for across, down in sides])
        cards.append(CardReading("track-2-straight", corners, 0.6 if index % 7 == 0 else 0.9, 0.5))
    return cards


def are_apart(one: Label, other: Label) -> bool:
    return any(abs(one.middle[axis] - other.middle[axis]) >= (one.size[axis] + other.size[axis]) / 2 for axis in (0, 1))


def test_no_name_covers_another_on_a_dense_table(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Label] = []

    def write(drawn: np.ndarray, name: module._Name, middle: tuple[float, float]) -> None:
        written.append(name.label._replace(middle=middle))

    monkeypatch.setattr(module, "_write", write)
    emma = EmmaSighting(
        2, np.array([304.0, 100.0]), 0.9, HiddenMap(np.zeros((1, 1), np.float32), np.zeros((4, 2)), np.zeros((0, 2)))
    )
    overlay(np.zeros((HIGH, WIDE, 3), np.uint8), dense_table(), range(40), emma)
    assert len(written) == 55
    written.append(Label((12, 12), (304, 100)))  # where she stands is to be seen, too
    assert all(are_apart(one, other) for one, other in combinations(written, 2))


def test_a_name_is_no_larger_than_is_kept_free_for_it() -> None:
    """Each is drawn alone, on black: nothing of it lies outside."""
    for card in dense_table()[:8]:
        black = np.zeros((HIGH, WIDE, 3), np.uint8)
        name = module._name(f"12 {card.face} ?", card.corners_px, 0.75, (255, 255, 255))
        module._write(black, name, name.label.middle)
        ys, xs = np.nonzero(black.max(axis=2))
        for places, middle, side in zip((xs, ys), name.label.middle, name.label.size, strict=True):
            assert middle - side / 2 - 1 <= places.min() <= places.max() <= middle + side / 2 + 1


def test_a_name_is_smaller_where_its_card_is() -> None:
    small = dense_table()[1].corners_px
    sizes = [module._name("12 track-2-straight", factor * small, 0.75, (0, 0, 0)).size for factor in (1, 1.5, 2)]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == 0.75


def test_a_name_stays_on_its_card_where_there_is_room() -> None:
    alone = Label((100, 40), (500, 300))
    assert laid_out([alone], (WIDE, HIGH)) == [(500, 300)]
    (first, second) = laid_out([alone, alone], (WIDE, HIGH))
    assert first == (500, 300)
    assert are_apart(alone, alone._replace(middle=second))
    assert abs(second[0] - 500) + abs(second[1] - 300) < 60


def test_a_name_stays_in_the_picture() -> None:
    ((x, y),) = laid_out([Label((100, 40), (10, 5))], (WIDE, HIGH))
    assert x >= 50
    assert y >= 20


def test_a_full_picture_takes_all_names_nevertheless() -> None:
    labels = [Label((100, 40), (50, 20))] * 3
    assert laid_out(labels, (120, 50)) == [(50, 20)] * 3
