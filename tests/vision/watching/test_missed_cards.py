"""A card that was missed when it came is read when the table has rested for a while."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.vision.reading.taught_eye import Eye
from vision.arrays import Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.reading.reader import CardReading, Reader
from vision.reading.searched_picture import Changed
from vision.rendering import LyingCard, Renderer, Scene
from vision.rendering.conditions import draw_conditions
from vision.watching.steady_view import SteadyView

SIZE = (984, 738)


class Attentive:
    """A reader that counts how often it was asked to read a whole picture."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.still_there = reader.still_there
        self.places = reader.places
        self.whole_looks = 0

    def read(
        self,
        picture: Picture,
        known: Sequence[CardReading] = (),
        changed: Changed | None = None,
        before: Sequence[CardReading] = (),
        *,
        is_emma_known: bool = False,
    ) -> list[CardReading]:
        self.whole_looks += changed is None
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
