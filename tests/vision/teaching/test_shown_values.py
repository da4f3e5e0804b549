"""Whether faces show the values that they are declared to have."""

from collections.abc import Mapping
from itertools import combinations

import pytest

from tests.vision.teaching.drawn_deck import CARD_MM, cut_out, faces
from vision.arrays import Picture
from vision.cards import Face
from vision.teaching.values.shown_values import ShownValues


@pytest.fixture(scope="module")
def cut_outs() -> dict[str, Picture]:
    return {face.id: cut_out(face, number) for number, face in enumerate(faces())}


def told(cut_outs: Mapping[str, Picture]) -> ShownValues:
    return ShownValues(faces(), cut_outs, CARD_MM)


def differing() -> list[tuple[Face, Face]]:
    """All pairs with the same rails and other values."""
    pairs = combinations(faces(), 2)
    return [(one, other) for one, other in pairs if one.ports == other.ports and one.value != other.value]


def test_faces_that_show_their_values_are_as_far_apart_as_others(cut_outs: Mapping[str, Picture]) -> None:
    values = told(cut_outs)
    apart = [values.apart(one.id, other.id) for one, other in differing()]
    assert len(apart) > 30
    assert all(much == pytest.approx(1, abs=0.3) for much in apart)


def test_one_card_photographed_twice_is_no_distance_apart(cut_outs: Mapping[str, Picture]) -> None:
    left = next(face for face in faces() if face.id == "track-1-left")
    values = told({**cut_outs, "track-2-left": cut_out(left, 99)})
    assert values.apart("track-1-left", "track-2-left") == pytest.approx(0, abs=0.2)


def test_photographs_that_are_mixed_up_are_as_far_apart_the_other_way_round(cut_outs: Mapping[str, Picture]) -> None:
    values = told({**cut_outs, "track-2-left": cut_outs["track-3-left"], "track-3-left": cut_outs["track-2-left"]})
    assert values.apart("track-2-left", "track-3-left") == pytest.approx(-1, abs=0.3)
    # These are as they were, whatever two others show.
    assert values.apart("track-2-right", "track-3-right") == pytest.approx(1, abs=0.3)
    assert values.apart("chaos-2", "chaos-3") == pytest.approx(1, abs=0.3)


@pytest.mark.parametrize(
    ("one", "other"),
    [("track-1-left", "broken-1"), ("track-1-left", "track-2-right"), ("chaos-1", "track-2-straight")],
    ids=["one value", "other rails", "no rails"],
)
def test_of_others_nothing_is_known(cut_outs: Mapping[str, Picture], one: str, other: str) -> None:
    assert told(cut_outs).apart(one, other) is None


def test_of_few_faces_nothing_is_known(cut_outs: Mapping[str, Picture]) -> None:
    some = {face: picture for face, picture in cut_outs.items() if face.endswith(("left", "right"))}
    assert told(some).apart("track-1-left", "track-2-left") is None
    # With values 1 and 2 there are two kinds of rails, so beside either but one other.
    few = {face: cut_outs[face] for face in cut_outs if "across" not in face and "chaos" not in face}
    some = {face: picture for face, picture in few.items() if face not in {"track-1-right", "track-2-right"}}
    assert told(some).apart("track-3-straight", "track-4-straight") is not None
    assert told(some).apart("track-1-straight", "track-2-straight") is None
    one = {face: cut_outs[face] for face in ("track-1-left", "track-2-left")}
    assert told(one).apart("track-1-left", "track-2-left") is None
