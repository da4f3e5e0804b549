"""What several looks say about cards: names do not flip, cards that go and come are told from those that stay."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading.reader import CardReading
from vision.watching.tracked_cards import Suspect, TrackedCard, overlap, settled, tracked

PLACE = np.array([(100.0, 100), (163, 100), (163, 188), (100, 188)])


def shifted(x_px: float) -> NDArray[np.float64]:
    return np.asarray(PLACE + np.array([x_px, 0.0]))


def read(
    face: str, likeness: float = 0.85, lead: float = 0.3, x_px: float = 0.0, others: tuple[str, ...] = ()
) -> CardReading:
    return CardReading(face, shifted(x_px), likeness, lead, others)


def suspect(card: TrackedCard, share: float = 0.1, likeness: float = 0.3) -> Suspect:
    return Suspect(card, share, likeness)


def test_overlap_is_a_share_of_the_smaller_outline() -> None:
    assert overlap(PLACE, PLACE) == pytest.approx(1)
    assert overlap(PLACE, shifted(31.5)) == pytest.approx(0.5)
    assert overlap(PLACE, shifted(500)) == 0
    assert overlap(PLACE, PLACE.mean(axis=0) + (PLACE - PLACE.mean(axis=0)) / 2) == pytest.approx(1)


def told(face: str, odds: dict[str, float]) -> CardReading:
    """Read as this face, with the odds of all faces by the picture alone."""
    return read(face)._replace(odds=tuple((one, by_picture, 0.0) for one, by_picture in odds.items()))


def test_a_doubtful_face_does_not_flip_to_and_fro() -> None:
    card = tracked(read("one", 0.6, 0.03), 0)
    names = []
    for face, lead in (("two", 0.02), ("one", 0.02), ("two", 0.03), ("one", 0.01), ("two", 0.01)):
        card = card.seen_again(read(face, 0.6, lead), 0.6, ())
        names.append(card.reading.face)
    assert sum(name != after for name, after in pairwise(names)) <= 1


def test_a_face_that_stays_open_is_not_looked_at_for_ever() -> None:
    card = tracked(read("one", lead=0.01), 0)
    for face in ("two", "one") * 5:
        card = card.seen_again(read(face, lead=0.01), 0.6, ())
    assert card.reading.others
    assert not card.is_doubtful


@pytest.mark.parametrize(
    ("before", "now", "is_another"), [(40.0, 30.0, True), (40.0, 8.0, False), (8.0, 30.0, False), (-3.0, 30.0, False)]
)
def test_another_card_was_put_there_only_if_both_are_plain(before: float, now: float, *, is_another: bool) -> None:
    """A little of its place has changed: Emma may stand there now, or a card of the same colours lie in its place."""
    card = tracked(told("one", {"one": 0.0, "two": -before}), 0)
    (after,) = settled(
        [suspect(card, 0.1, 0.0)], [told("two", {"one": -now, "two": 0.0})._replace(likeness=0.5)], (), 1
    )
    assert (after.serial == 1) == is_another


def test_clear_looks_correct_a_doubtful_one() -> None:
    card = tracked(read("one", 0.6, 0.03), 7).seen_again(read("two", 0.8, 0.45), 0.6, ())
    assert (card.serial, card.reading.face) == (7, "two")
    assert not card.is_doubtful
    assert card.seen_again(read("one", 0.6, 0.05), 0.6, ()).reading.face == "two"


def test_the_rules_decide_only_between_faces_that_look_alike() -> None:
    card = tracked(read("one", 0.6, 0.03), 0)
    assert card.seen_again(read("two", 0.6, 0.02), 0.6, {"two"}).reading.face == "two"
    sure = tracked(read("one", 0.9, 0.3), 0)
    assert sure.seen_again(read("two", 0.6, 0.02), 0.6, {"two"}).reading.face == "one"


def test_what_one_look_leaves_open_several_tell() -> None:
    card = tracked(read("one", lead=0.08, others=("two",)), 0)
    card = card.seen_again(read("one", lead=0.08, others=("two",)), 0.85, ())
    assert (card.reading.face, card.reading.others) == ("one", ("two",))
    for _ in range(4):
        card = card.seen_again(read("one", lead=0.1, others=("two",)), 0.85, ())
    assert (card.reading.face, card.reading.others) == ("one", ())
    assert card.reading.lead < 6 * 0.08  # they are not wrong independently


@pytest.mark.parametrize("clear", ["one", "two"])
def test_a_clear_look_settles_what_several_left_open(clear: str) -> None:
    card = tracked(read("one", lead=0.02, others=("two",)), 0)
    card = card.seen_again(read("one", lead=0.02, others=("two",)), 0.85, ())
    assert (card.reading.face, card.reading.others) == ("one", ("two",))
    card = card.seen_again(read(clear, lead=0.5), 0.85, ())
    assert (card.reading.face, card.reading.others) == (clear, ())
    other = "two" if clear == "one" else "one"
    for likeness in (0.8, 0.95):  # under a shadow, and as well lit as never before
        card = card.seen_again(read(clear, likeness, lead=0.05, others=(other,)), 0.85, ())
        card = card.seen_again(read(other, likeness, lead=0.05, others=(clear,)), 0.85, ())
        assert (card.reading.face, card.reading.others) == (clear, ())


def test_a_face_that_is_never_the_first_may_be_the_right_one() -> None:
    """What is always second is likelier than what each picture takes for something else."""
    card = tracked(told("one", {"one": 0.0, "two": -1.0, "three": -6.0}), 0)
    card = card.seen_again(told("three", {"one": -6.0, "two": -1.0, "three": 0.0}), 0.85, ())
    assert card.reading.face == "two"


@pytest.mark.parametrize(("is_longer", "face"), [(True, "two"), (False, "one")])
def test_a_picture_that_holds_those_before_does_not_count_them_twice(is_longer: bool, face: str) -> None:
    card = tracked(told("one", {"one": 0.0, "two": -4.0}), 0)
    looked_at = Suspect(card, 0.0, 0.85, is_longer)
    (again,) = settled([looked_at], [told("two", {"one": -2.0, "two": 0.0})], (), 1)
    assert (again.serial, again.reading.face, again.looks) == (0, face, 2)


def test_what_was_told_before_something_came_over_a_card_is_not_forgotten() -> None:
    """Emma comes, the card is missed, and then is read under her again and again as another one."""
    card = tracked(told("one", {"one": 0.0, "two": -4.0}), 0)
    (card,) = settled([Suspect(card, 0.1, 0.5)], [], (), 1)
    for _ in range(3):
        (card,) = settled([Suspect(card, 0.0, 0.5, is_longer=True)], [told("two", {"one": -2.0, "two": 0.0})], (), 1)
    assert card.reading.face == "one"


def test_what_a_still_told_is_added_to_what_pictures_after_it_tell() -> None:
    card = tracked(told("two", {"one": -1.0, "two": 0.0}), 0).named_by_still(told("one", {"one": 0.0, "two": -4.0}))
    (card,) = settled([Suspect(card, 0.0, 0.85, is_longer=True)], [told("two", {"one": -2.0, "two": 0.0})], (), 1)
    assert card.reading.face == "one"


def test_how_many_such_cards_are_left_counts_once() -> None:
    odds = (("one", -0.3, 1.0), ("two", 0.0, 0.0))
    card = tracked(read("one")._replace(odds=odds), 0)
    faces = []
    for _ in range(8):
        card = card.seen_again(read("one")._replace(odds=odds), 0.85, ())
        faces.append(card.reading.face)
    assert faces[0] == "one"
    assert card.told["two"] - card.told["one"] == pytest.approx(9 * 0.3)


def test_a_place_that_fits_better_is_taken() -> None:
    card = tracked(read("one"), 0)
    pushed = read("one", x_px=6.0)
    assert card.seen_again(pushed, 0.4, ()).reading.corners_px is pushed.corners_px
    assert card.seen_again(pushed, 0.9, ()).reading.corners_px is card.reading.corners_px


def test_a_card_partly_hidden_stays_and_one_that_was_taken_goes() -> None:
    card = tracked(read("one"), 3)
    assert [kept.serial for kept in settled([suspect(card, 0.3)], [], (), 9)] == [3]
    assert settled([suspect(card, 0.95)], [], (), 9) == []
    # All of it looks different, but the card is still to be seen: a reflection.
    assert [kept.serial for kept in settled([suspect(card, 0.95, 0.7)], [], (), 9)] == [3]


def test_a_card_of_which_nothing_is_left_goes_even_from_a_table_of_its_colour() -> None:
    card = tracked(read("one"), 3)
    assert settled([suspect(card, 0.3, 0.02)], [], (), 9) == []
    assert settled([suspect(card, 0.3, 0.4)], [], (), 9) != []  # under Emma
    # Where hardly anything has changed, it has to be missed twice.
    (missed,) = settled([suspect(card, 0.05, 0.02)], [], (), 9)
    assert settled([suspect(missed, 0.0, 0.02)], [], (), 9) == []
    assert settled([suspect(missed, 0.0, 0.4)], [], (), 9) != []


def test_what_was_read_once_and_badly_and_never_again_goes() -> None:
    card = tracked(read("one", 0.52, lead=0.1), 3)
    (missed,) = settled([suspect(card, 0.0)], [], (), 9)
    assert settled([suspect(missed, 0.0)], [], (), 9) == []


def test_a_card_that_noise_hides_stays_where_nothing_has_happened() -> None:
    card = tracked(read("one", 0.35, lead=0.4), 3)
    assert [kept.serial for kept in settled([suspect(card, 0.0, 0.09)], [], (), 9)] == [3]


def test_what_is_plainly_read_as_another_face_under_emma_stays_the_card_of_which_much_is_left() -> None:
    """Else it would get another number, and to the game that is a card newly laid."""
    card = tracked(told("one", {"one": 0.0, "two": -20.0}), 3)
    misread = told("two", {"one": -12.0, "two": 0.0})._replace(likeness=0.57)
    (kept,) = settled([suspect(card, 0.2, 0.56)], [misread], (), 9)
    assert kept.serial == 3
    (new,) = settled([suspect(card, 0.2, 0.2)], [misread], (), 9)
    assert (new.serial, new.reading.face) == (9, "two")


def test_what_emma_makes_of_a_face_does_not_rename_its_card() -> None:
    card = tracked(read("one"), 3)
    (kept,) = settled([suspect(card, 0.25, 0.5)], [read("two", 0.55, 0.02)], (), 9)
    assert (kept.serial, kept.reading.face) == (3, "one")


@pytest.mark.parametrize(("likeness", "serial", "face"), [(0.05, 9, "two"), (0.4, 3, "one")])
def test_where_nothing_seems_touched_a_card_is_another_only_if_little_of_the_first_is_left(
    likeness: float, serial: int, face: str
) -> None:
    card = tracked(told("one", {"one": 0.0, "two": -20.0}), 3)
    (kept,) = settled([suspect(card, 0.0, likeness)], [told("two", {"one": -10.0, "two": 0.0})], (), 9)
    assert (kept.serial, kept.reading.face) == (serial, face)


@pytest.mark.parametrize("share", [0.2, 0.9])
def test_another_card_at_the_same_place_is_new(share: float) -> None:
    card = tracked(read("one"), 3)
    (new,) = settled([suspect(card, share, 0.4)], [read("two", x_px=4.0)], (), 9)
    assert (new.serial, new.reading.face) == (9, "two")


def test_a_card_that_is_laid_elsewhere_keeps_its_number() -> None:
    cards = [tracked(read("one"), 3), tracked(read("two", x_px=70.0), 4)]
    found = [read("two", x_px=900.0), read("three", x_px=400.0)]
    put = settled([suspect(card, 0.95) for card in cards], found, (), 9)
    assert {card.serial: card.reading.face for card in put} == {4: "two", 9: "three"}


def test_cards_of_one_face_that_were_pushed_together_keep_their_numbers() -> None:
    """The nearest one would be another: what lies beside them tells how far all have come."""
    places = {1: ("one", 0.0), 2: ("two", 90.0), 3: ("one", 180.0)}
    cards = [tracked(read(face, x_px=x), serial) for serial, (face, x) in places.items()]
    found = [read(face, x_px=x + 135.0) for face, x in places.values()]
    put = settled([suspect(card, 0.95) for card in cards], found[::-1], (), 9)
    assert {card.serial: card.reading.corners_px[0, 0] - 100.0 for card in put} == {1: 135.0, 2: 225.0, 3: 315.0}
