"""A card that was missed when it came is read when the table has rested for a while; what is none is left alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from tests.vision.reading.taught_eye import Eye
from vision.arrays import Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.outlines.outline_masks import SHRINK
from vision.reading.reader import CardReading, Reader
from vision.reading.searched_picture import Changed
from vision.rendering import LyingCard, Mug, Pile, Renderer, Scene
from vision.rendering.conditions import draw_conditions
from vision.watching.steady_view import SteadyView
from vision.watching.unread_places import nowhere

SIZE = (984, 738)


class Attentive:
    """A reader that notes what it was asked to read."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.still_there = reader.still_there
        self.places = reader.places
        self.named_anew = reader.named_anew
        self.asked: list[Changed | None] = []
        """Where; None in a whole picture."""

    @property
    def whole_looks(self) -> int:
        """How often it was asked to read a whole picture."""
        return self.asked.count(None)

    def read(
        self,
        picture: Picture,
        known: Sequence[CardReading] = (),
        changed: Changed | None = None,
        before: Sequence[CardReading] = (),
        *,
        is_emma_known: bool = False,
    ) -> list[CardReading]:
        self.asked.append(changed)
        return self._reader.read(picture, known, changed, before, is_emma_known=is_emma_known)


class Distracted(Attentive):
    """A reader that misses whatever comes later."""

    def read(
        self,
        picture: Picture,
        known: Sequence[CardReading] = (),
        changed: Changed | None = None,
        before: Sequence[CardReading] = (),
        *,
        is_emma_known: bool = False,
    ) -> list[CardReading]:
        return super().read(picture, known, before=before, is_emma_known=is_emma_known) if changed is None else []


class Slow(Attentive):
    """A reader that reads nothing at first."""

    is_awake = False

    def read(
        self,
        picture: Picture,
        known: Sequence[CardReading] = (),
        changed: Changed | None = None,
        before: Sequence[CardReading] = (),
        *,
        is_emma_known: bool = False,
    ) -> list[CardReading]:
        read = super().read(picture, known, changed, before, is_emma_known=is_emma_known)
        return read if self.is_awake else []


class Watched:
    """A table that is looked at, picture after picture."""

    def __init__(self, reader: Attentive, eye: Eye) -> None:
        conditions = draw_conditions("easy", Random(3), SIZE)
        self._light, self._sensor = conditions.light, conditions.sensor
        faces, back, card_mm = eye.pictures.faces, eye.pictures.back, eye.pictures.deck.card_mm
        self._table = Renderer(conditions.camera, conditions.tabletop, faces, back, card_mm)
        self._reader = reader
        self._view = SteadyView(reader, eye.finder)
        self._pictures = 0

    def look(self, scene: Scene, times: int) -> list[str]:
        """The cards that are known after so many pictures of this, each in other noise."""
        for _ in range(times):
            self._pictures += 1
            sight = self._view.look(self._table.photograph(scene, self._light, self._sensor, self._pictures).picture)
        return [card.face for card in sight.cards]

    def searches(self, place_mm: tuple[float, float]) -> int:
        """How often the reader was asked what has come to a place on the table."""
        ((x, y),) = np.rint(self._table.camera.project((*place_mm, 0)) / SHRINK).astype(int).tolist()
        told = [
            True if changed is None or changed.places is None else changed.places[y, x]
            for changed in self._reader.asked
        ]
        return sum(map(bool, told))


def test_a_card_that_was_missed_does_not_lie_there_unread_for_ever(own: DeckPictures, own_eye: Eye) -> None:
    conditions = draw_conditions("easy", Random(3), SIZE)
    table = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back, own.deck.card_mm)
    cards = (LyingCard("track-4-left", Pose(200, 200, 0), 1), LyingCard("track-1-straight", Pose(320, 200, 0), 2))
    reader = Distracted(own_eye.reader)
    view = SteadyView(reader, own_eye.finder)
    for number in range(3):
        sight = view.look(table.photograph(Scene(cards[:1]), conditions.light, conditions.sensor, number).picture)
    assert [card.face for card in sight.cards] == ["track-4-left"]
    last = table.photograph(Scene(cards), conditions.light, conditions.sensor, 9).picture
    looks = 0
    while len(sight.cards) < 2 and looks < 150:
        looks += 1
        sight = view.look(last)
    assert sorted(card.face for card in sight.cards) == ["track-1-straight", "track-4-left"]
    assert sight.changed
    before = reader.whole_looks
    assert all(view.look(last).is_still for _ in range(200))
    assert reader.whole_looks == before  # once is enough
    assert sight.serials == (0, 1)


def test_a_table_on_which_nothing_was_missed_stays_still_while_it_is_looked_over(
    own: DeckPictures, own_eye: Eye
) -> None:
    conditions = draw_conditions("easy", Random(3), SIZE)
    table = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back, own.deck.card_mm)
    reader = Attentive(own_eye.reader)
    view = SteadyView(reader, own_eye.finder)
    scene = Scene((LyingCard("track-4-left", Pose(200, 200, 0), 1),))
    picture = table.photograph(scene, conditions.light, conditions.sensor, 1).picture
    sights = [view.look(picture) for _ in range(150)]
    assert reader.whole_looks == 2
    assert all(sight.is_still for sight in sights[10:])


def test_what_cannot_be_read_is_not_searched_again_as_long_as_it_lies_there_unchanged(own_eye: Eye) -> None:
    """Twice: in the first picture, and in several together. Not when something comes elsewhere."""
    reader = Attentive(own_eye.reader)
    table, first, second = Watched(reader, own_eye), Mug((150, 150), radius_mm=30), Mug((400, 300), radius_mm=30)
    table.look(Scene(), 3)
    table.look(Scene(clutter=(first,)), 12)
    before = table.searches(first.centre_mm)
    assert before == 1 + 2  # the bare table was read as well
    table.look(Scene(clutter=(first, second)), 12)
    assert table.searches(second.centre_mm) == 1 + 2
    assert table.searches(first.centre_mm) == before


def test_what_looks_a_little_different_all_the_time_is_searched_more_and_more_seldom(own_eye: Eye) -> None:
    """The cards of a pile are drawn anew for each picture, as if somebody had touched them."""
    reader = Attentive(own_eye.reader)
    table, pile = Watched(reader, own_eye), Scene(clutter=(Pile(Pose(250, 250, 10), cards=6),))
    table.look(Scene(), 3)
    table.look(pile, 20)
    before = len(reader.asked)
    table.look(pile, 20)
    searches = len(reader.asked) - before
    assert searches <= 2


def test_what_was_searched_in_vain_is_read_with_the_first_card_that_is_known(own_eye: Eye) -> None:
    reader = Slow(own_eye.reader)
    table = Watched(reader, own_eye)
    cards = (LyingCard("track-4-left", Pose(150, 150, 0), 1), LyingCard("track-1-straight", Pose(400, 300, 0), 2))
    table.look(Scene(), 3)
    assert table.look(Scene(cards[:1]), 12) == []
    reader.is_awake = True
    assert sorted(table.look(Scene(cards), 1)) == ["track-1-straight", "track-4-left"]


@pytest.mark.parametrize("is_any_known", [False, True], ids=["alone", "beside a card"])
def test_a_card_in_the_place_of_what_could_not_be_read_is_read(own_eye: Eye, *, is_any_known: bool) -> None:
    table = Watched(Attentive(own_eye.reader), own_eye)
    known = (LyingCard("track-4-left", Pose(400, 300, 0), 1),) if is_any_known else ()
    card, mug = LyingCard("track-1-straight", Pose(150, 150, 0), 2), Mug((150, 150), radius_mm=30)
    faces = [one.face for one in known]
    assert table.look(Scene(known), 3) == faces
    assert table.look(Scene(known, clutter=(mug,)), 12) == faces
    assert table.look(Scene((*known, card)), 1) == [*faces, card.face]


def test_of_what_is_unread_only_the_thing_at_which_something_has_come_is_looked_at_anew() -> None:
    none, one, other = np.zeros((3, 20, 40), np.uint8)
    one[2:8, 2:8] = other[2:8, 22:28] = 1
    unread = nowhere(none.shape).with_come(one | other, none).left(one | other).left(one | other)
    assert not unread.untried.any()
    beside = np.zeros_like(none)
    beside[5:12, 8:12] = 1
    assert (unread.with_come(beside, none).untried == one | beside).all()


def test_where_only_light_has_changed_each_look_in_vain_makes_the_next_one_come_later() -> None:
    none, place = np.zeros((2, 20, 40), np.uint8)
    place[2:8, 2:8] = 1
    unread, followed = nowhere(none.shape), []
    for change in range(1, 40):
        unread = unread.with_come(place, place)
        while unread.untried.any():
            followed.append(change)
            unread = unread.left(place)
    assert followed == [1, 1, 2, 4, 8, 16, 32]
    assert (unread.with_come(place, none).untried == place).all()
