"""What has been taught is on the disk, and whatever becomes of that, a lesson goes on with the rest."""

from __future__ import annotations

import errno
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from companion.record import whole_file
from companion.teaching.lesson import Lesson
from tests.companion.teaching.drawn_lesson import FACES, facts, photographed

THREE = ("track-1-left", "track-2-straight", "chaos-3")


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    """A lesson of three cards."""
    lesson = Lesson(tmp_path / "lesson")
    for name in THREE:
        lesson.add(photographed(FACES[name]), facts(name))
    return lesson


def read(lesson: Lesson) -> list[str]:
    """What the cards are that another program finds in the folder."""
    found = Lesson(lesson.folder).cards
    return [next(name for name in FACES if facts(name) == replace(card.facts, is_turned=False)) for card in found]


def test_a_lesson_goes_on_with_all_that_was_taught(lesson: Lesson) -> None:
    again = Lesson(lesson.folder).cards
    assert [card.facts for card in again] == [facts(name) for name in THREE]
    for before, after in zip(lesson.cards, again, strict=True):
        assert np.allclose(before.card.corners_px, after.card.corners_px)
        assert before.cut_out.shape == after.cut_out.shape
        # The photograph is a JPEG.
        assert float(np.abs(before.cut_out.astype(int) - after.cut_out).mean()) < 4


def test_cards_are_changed_and_removed(lesson: Lesson) -> None:
    lesson.change(0, facts("broken-1"))
    lesson.remove(1)
    assert read(lesson) == ["broken-1", "chaos-3"]
    lesson.add(photographed(FACES["chaos-1"]), facts("chaos-1"))
    assert read(lesson) == ["broken-1", "chaos-3", "chaos-1"]
    assert len({card.number for card in lesson.cards}) == 3
    lesson.clear()
    assert read(lesson) == []
    assert not list(lesson.folder.glob("*.jpg"))


def test_a_card_that_lay_upside_down_is_kept_upright(lesson: Lesson) -> None:
    turned = replace(facts("track-3-right"), is_turned=True)
    shown = photographed(FACES["track-3-right"])
    lesson.add(shown, turned)
    assert np.array_equal(lesson.cards[-1].cut_out, shown.cut_out[::-1, ::-1])
    lesson.change(3, replace(turned, is_turned=False))
    assert np.array_equal(lesson.cards[-1].cut_out, shown.cut_out)


@pytest.mark.parametrize("data", [None, b"", b"\xff\xd8 no picture"])
def test_a_card_without_its_photograph_is_left_out_and_the_others_stay(lesson: Lesson, data: bytes | None) -> None:
    file = lesson.photograph(lesson.cards[1].number)
    file.unlink()
    if data is not None:
        file.write_bytes(data)
    assert read(lesson) == [THREE[0], THREE[2]]


@pytest.mark.parametrize(
    "damage",
    [
        {"corners_px": [[1e30, 0], [100, 0], [100, 100], [0, 100]]},
        {"corners_px": [[5, 5]] * 4},
        {"corners_px": [[0, 0], [100, 0], [100, 100]]},
        {"facts": {"value": 7, "kind": "track"}},
        {"facts": {"value": 1, "kind": "chaos", "ports": [{"edge": "S"}, {"edge": "N"}]}},
        {"facts": {"value": 1, "kind": "track", "ports": [{"edge": "S"}]}},
        {"facts": {"value": 1, "kind": "track", "ports": [{"edge": "S", "offset_mm": 1e300}, {"edge": "N"}]}},
    ],
)
def test_a_card_of_which_something_impossible_is_kept_is_left_out(lesson: Lesson, damage: dict[str, object]) -> None:
    file = lesson.folder / "cards.json"
    cards = json.loads(file.read_text())
    cards[1] |= damage
    file.write_text(json.dumps(cards))
    assert read(lesson) == [THREE[0], THREE[2]]


def test_a_lesson_that_cannot_be_cleared_stays(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("companion.teaching.lesson.write_whole", full)
    with pytest.raises(OSError, match="full"):
        lesson.clear()
    assert len(lesson.cards) == 3
    assert read(lesson) == list(THREE)


class _PowerCutError(BaseException):
    """Nothing more happens."""


def _cut_at(steps: int) -> Iterator[int]:
    """Counts what reaches the disk, and ends after so many steps."""
    for step in itertools.count():
        if step == steps:
            raise _PowerCutError
        yield step


@pytest.mark.parametrize("steps", range(9))
def test_wherever_the_power_is_cut_cards_are_as_before_or_as_after(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """A card is added, another one changed and a third removed, and after so many steps to the disk nothing follows."""
    counted = _cut_at(steps)
    written = whole_file.os.fsync

    def fsync(descriptor: int) -> None:
        next(counted)
        written(descriptor)

    monkeypatch.setattr(whole_file.os, "fsync", fsync)
    states = [[*THREE], [*THREE, "chaos-4"], ["broken-1", *THREE[1:], "chaos-4"], [*THREE[1:], "chaos-4"]]
    done = 0
    try:
        lesson.add(photographed(FACES["chaos-4"]), facts("chaos-4"))
        done = 1
        lesson.change(0, facts("broken-1"))
        done = 2
        lesson.remove(0)
        done = 3
    except _PowerCutError:
        pass
    assert read(lesson) in states[done : done + 2]


def test_a_folder_that_cannot_be_written_leaves_the_lesson_as_it_is(lesson: Lesson) -> None:
    before = lesson.cards
    unwritable = Lesson(lesson.folder)
    unwritable.folder = lesson.folder / "cards.json"  # a file, in which nothing can be
    with pytest.raises(OSError, match="cards"):
        unwritable.add(photographed(FACES["chaos-4"]), facts("chaos-4"))
    assert len(unwritable.cards) == len(before)
    assert read(lesson) == list(THREE)
