"""A fixed camera's pictures of a whole game: cards keep their names, places and numbers, whatever passes by."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.loknroll.robot.pictured_games import pictured_game
from companion.games.loknroll.rules import Mode, load_edition, set_up
from tests.vision.watching.sights import SIZE, AttentiveReader, Studio, by_serial, emmas_face, faces, names
from vision.arrays import Homography, Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.rendering import Emma, Hand, Mug, Scene
from vision.watching.steady_view import Sight, SteadyView


@pytest.fixture(scope="module")
def studio(own: DeckPictures) -> Studio:
    return Studio(own, 11)


@pytest.fixture(scope="module")
def table(own: DeckPictures) -> Scene:
    """Seven cards and Emma."""
    moments = pictured_game(set_up(load_edition(), own.deck, Mode.TWO, ["Ann", "Ben"]), Random(3)).moments
    return next(moment.scene for moment in moments if len(moment.scene.cards) == 7 and moment.scene.emma)


@pytest.fixture(scope="module")
def attentive(reader: Reader) -> AttentiveReader:
    return AttentiveReader(reader)


@pytest.fixture(scope="module")
def picture(studio: Studio, table: Scene) -> Picture:
    return studio(table)


@pytest.fixture
def view(attentive: AttentiveReader, emma_finder: EmmaFinder) -> SteadyView:
    return SteadyView(attentive, emma_finder)


@pytest.fixture
def steady(view: SteadyView, picture: Picture, attentive: AttentiveReader) -> SteadyView:
    """A view that has seen the table until it had no doubts."""
    for _ in range(8):
        view.look(picture)
    attentive.asked.clear()
    return view


def shaded(picture: Picture, middle: int) -> Picture:
    """With a soft shadow at the lower border."""
    columns, rows = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    away = np.hypot(columns - middle, rows - SIZE[1]) / 300
    return np.asarray(picture * (1 - 0.4 * np.exp(-(away**2)))[..., None], dtype=np.uint8)


def bumped(picture: Picture, motion: Homography) -> Picture:
    """As a camera sees it that has been moved."""
    return np.asarray(cv2.warpPerspective(picture, motion, SIZE, borderMode=cv2.BORDER_REFLECT), dtype=np.uint8)


def a_bump(shift: tuple[float, float], turn_deg: float) -> Homography:
    matrix = cv2.getRotationMatrix2D((SIZE[0] * 0.4, SIZE[1] * 0.6), turn_deg, 1.0)
    matrix[:, 2] += shift
    return np.vstack([matrix, (0.0, 0.0, 1.0)])


def free_end(scene: Scene) -> int:
    """The last card, on which Emma does not stand."""
    index = len(scene.cards) - 1
    assert scene.emma is not None
    assert scene.cards[index].serial != scene.emma.serial
    return index


def test_the_first_sight_is_of_the_whole_table(view: SteadyView, picture: Picture, table: Scene) -> None:
    sight = view.look(picture)
    assert faces(sight) == names(table)
    assert len(set(sight.serials)) == len(table.cards)
    assert sight.emma is not None
    assert table.emma is not None
    assert emmas_face(sight) == next(card.face for card in table.cards if card.serial == table.emma.serial)
    assert sight.changed
    assert not sight.hand


def test_nothing_is_read_anew_while_nothing_happens(
    steady: SteadyView, studio: Studio, table: Scene, picture: Picture, attentive: AttentiveReader
) -> None:
    usual, sensor = studio.conditions.light, studio.conditions.sensor
    known = by_serial(steady.look(picture))
    pictures = [
        studio(table),
        studio(table, light=replace(usual, brightness=0.85 * usual.brightness)),
        studio(table, light=replace(usual, brightness=0.7 * usual.brightness, warmth=usual.warmth + 0.2)),
        studio(table, sensor=replace(sensor, exposure=1.3)),
        *(shaded(picture, middle) for middle in range(0, SIZE[0], 300)),
        picture,
    ]
    for later in pictures:
        sight = steady.look(later)
        assert by_serial(sight) == known
        assert not sight.changed
        assert not sight.hand
    assert attentive.asked == []


@pytest.mark.parametrize("broken", ["black", "white", "blurred", "shaken", "dark"])
def test_a_broken_picture_changes_nothing(steady: SteadyView, picture: Picture, broken: str) -> None:
    known = by_serial(steady.look(picture))
    pictures = {
        "black": np.zeros_like(picture),
        "white": np.full_like(picture, 255),
        "blurred": cv2.GaussianBlur(picture, (0, 0), 6),
        "shaken": cv2.blur(picture, (25, 3)),
        "dark": np.random.default_rng(0).integers(0, 6, picture.shape, dtype=np.uint8),
    }
    for later in (pictures[broken], pictures[broken], picture):
        sight = steady.look(np.asarray(later, dtype=np.uint8))
        assert by_serial(sight) == known
        assert not sight.changed
        assert not sight.hand
        assert sight.is_dark == (broken in {"black", "dark"} and later is not picture)


def test_while_a_hand_is_there_the_last_sight_is_kept(
    steady: SteadyView, studio: Studio, table: Scene, picture: Picture, attentive: AttentiveReader
) -> None:
    known = by_serial(steady.look(picture))
    hand = Hand((table.cards[1].pose.x_mm, table.cards[1].pose.y_mm + 30), 180)
    sight = steady.look(studio(replace(table, hands=(hand,))))
    assert sight.hand
    assert by_serial(sight) == known
    assert not sight.is_still
    assert attentive.asked == []
    sight = steady.look(picture)
    assert not sight.hand
    assert by_serial(sight) == known
    assert steady.look(picture).is_still


def test_a_card_that_goes_and_comes_is_all_that_is_read(
    steady: SteadyView, studio: Studio, table: Scene, picture: Picture, attentive: AttentiveReader
) -> None:
    end = free_end(table)
    fewer = replace(table, cards=table.cards[:end])
    known = by_serial(steady.look(picture))
    without = steady.look(studio(fewer))
    assert faces(without) == names(fewer)
    assert by_serial(without).items() <= known.items()
    assert without.changed
    again = steady.look(studio(table))
    assert faces(again) == names(table)
    assert by_serial(without).items() <= by_serial(again).items()
    assert set(again.serials) - set(without.serials) == {max(known) + 1}
    for changed in attentive.asked:
        assert changed is not None
        assert changed.places is not None
        assert changed.places.any()
        assert sum(region.width * region.height for region in changed.regions) < 0.25 * SIZE[0] * SIZE[1]


def test_what_is_no_card_is_not_read_again_until_it_changes(
    steady: SteadyView, studio: Studio, table: Scene, attentive: AttentiveReader
) -> None:
    """Else every turn would take as long as reading a table anew, with a mug or a pile on it."""
    end = free_end(table)
    assert table.emma is not None
    home = table.cards[0]
    gone = replace(table.emma, pose=home.pose, serial=home.serial, index=0)
    with_mug = replace(table, cards=table.cards[:end], clutter=(Mug((90.0, 500.0)),))
    at_rest = studio(with_mug)
    while not steady.look(at_rest).is_still:
        pass
    attentive.asked.clear()
    driven = steady.look(studio(replace(with_mug, emma=gone)))
    assert emmas_face(driven) == home.face
    assert len(attentive.asked) <= 1
    attentive.asked.clear()
    moved = replace(with_mug, emma=gone, clutter=(Mug((90.0, 440.0)),))
    assert faces(steady.look(studio(moved))) == names(moved)
    assert len(attentive.asked) == 2


def test_before_emma_has_come_a_new_card_costs_one_reading(
    view: SteadyView, studio: Studio, table: Scene, attentive: AttentiveReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """She is not looked for on cards that may have been missed: setting up would be slow.

    Nor is it asked apart where cards seem to lie: what has changed is as large as one.
    """
    end = free_end(table)
    without = replace(table, emma=None)
    view.look(studio(replace(without, cards=table.cards[:end])))
    attentive.asked.clear()
    monkeypatch.setattr(attentive, "places", lambda *_: pytest.fail("It was asked where cards seem to lie."))
    assert faces(view.look(studio(without))) == names(table)
    assert len(attentive.asked) == 1


def test_a_card_that_is_pushed_stays_the_same(
    steady: SteadyView, studio: Studio, table: Scene, picture: Picture
) -> None:
    end = free_end(table)
    known = by_serial(steady.look(picture))
    pose = table.cards[end].pose
    for place in (Pose(pose.x_mm + 5, pose.y_mm - 4, pose.rotation_deg + 2), Pose(700.0, 520.0, pose.rotation_deg)):
        card = replace(table.cards[end], pose=place)
        sight = steady.look(studio(replace(table, cards=(*table.cards[:end], card))))
        assert by_serial(sight) == known
        middles = [reading.corners_px.mean(axis=0) for reading in sight.cards]
        expected = studio.view.corners(card).mean(axis=0)
        assert min(np.linalg.norm(middle - expected) for middle in middles) < 3


def test_another_card_at_the_same_place_is_another(
    steady: SteadyView, studio: Studio, table: Scene, picture: Picture, own: DeckPictures
) -> None:
    end = free_end(table)
    known = by_serial(steady.look(picture))
    for face in ("track-4-right", "broken-2", "track-3-right"):
        other = replace(table, cards=(*table.cards[:end], replace(table.cards[end], face=face)))
        sight = steady.look(studio(other))
        assert faces(sight) == names(other)
        (new,) = by_serial(sight).items() - known.items()
        assert new[0] > max(known)


def test_emma_drives_and_the_cards_stay(steady: SteadyView, studio: Studio, table: Scene, picture: Picture) -> None:
    known = by_serial(steady.look(picture))
    for index in (0, 3, len(table.cards) - 1):
        card = table.cards[index]
        assert table.emma is not None
        emma = replace(table.emma, pose=card.pose, serial=card.serial, index=index)
        sight = steady.look(studio(replace(table, emma=emma)))
        assert by_serial(sight) == known
        assert sight.changed
        assert sight.emma is not None
        home = sight.cards[sight.emma.card].corners_px.mean(axis=0)
        assert np.linalg.norm(home - studio.view.corners(card).mean(axis=0)) < 10
    assert steady.look(studio(replace(table, emma=None))).emma is None


def test_what_emma_left_open_is_read_once_she_has_gone(
    reader: Reader, emma_finder: EmmaFinder, studio: Studio, table: Scene, picture: Picture
) -> None:
    """Her card looks much like before, but it may be told now: the others need not be read again."""
    attentive = AttentiveReader(reader)
    emma = emma_finder.find(picture, attentive.read(picture))
    assert emma is not None
    hers = attentive.read(picture)[emma.card]
    attentive.read(picture)[emma.card] = hers._replace(others=("chaos-1",))
    view = SteadyView(attentive, emma_finder)
    looks = [view.look(picture).cards[emma.card].others for _ in range(6)]
    assert looks == [("chaos-1",)] * 6
    seen = view.look(studio(replace(table, emma=None))).cards
    assert [card.others for card in seen] == [()] * len(seen)
    assert seen[emma.card].face == hers.face


def test_emma_is_not_looked_for_again_where_nothing_has_changed(
    steady: SteadyView,
    studio: Studio,
    table: Scene,
    picture: Picture,
    emma_finder: EmmaFinder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = steady.look(picture)
    end = free_end(table)
    searches = []
    find = emma_finder.find
    monkeypatch.setattr(emma_finder, "find", lambda *seen: searches.append(seen) or find(*seen))
    without = steady.look(studio(replace(table, cards=table.cards[:end])))
    again = steady.look(studio(table))
    assert emmas_face(before) == emmas_face(without) == emmas_face(again)
    assert searches == []


def test_the_reader_looks_for_emma_unless_she_still_stands_where_she_did(
    steady: SteadyView,
    studio: Studio,
    table: Scene,
    picture: Picture,
    attentive: AttentiveReader,
) -> None:
    """She hides a part of a card: to know of which one costs as much as to read it."""
    steady.look(picture)
    attentive.knew_emma.clear()
    end = free_end(table)
    steady.look(studio(replace(table, cards=table.cards[:end])))
    steady.look(studio(table))
    assert attentive.knew_emma == [True] * len(attentive.knew_emma) != []
    steady.look(studio(replace(table, cards=table.cards[:end])))
    attentive.knew_emma.clear()
    on_the_new_one = replace(table, emma=Emma(table.cards[end].pose, serial=table.cards[end].serial))
    sight = steady.look(studio(on_the_new_one))
    assert not any(attentive.knew_emma)
    assert (faces(sight), emmas_face(sight)) == (names(table), table.cards[end].face)


@pytest.mark.parametrize(("shift", "turn_deg"), [((9, -6), 1.0), ((-25, 14), -3.0)])
def test_a_bumped_camera_finds_the_same_cards_again(
    steady: SteadyView, studio: Studio, table: Scene, picture: Picture, shift: tuple[float, float], turn_deg: float
) -> None:
    before = steady.look(picture)
    motion = a_bump(shift, turn_deg)
    sight = steady.look(bumped(studio(table), motion))
    assert by_serial(sight) == by_serial(before)
    assert not sight.hand
    for card in table.cards:
        expected = cv2.perspectiveTransform(studio.view.corners(card)[None], motion)[0]
        off = [np.linalg.norm(reading.corners_px - expected, axis=1).max() for reading in sight.cards]
        assert min(off) < 3
    hand = Hand((table.cards[1].pose.x_mm, table.cards[1].pose.y_mm + 30), 180)
    assert steady.look(bumped(studio(replace(table, hands=(hand,))), motion)).hand
    assert by_serial(steady.look(bumped(picture, motion))) == by_serial(before)


def test_all_cards_can_be_taken_at_once_and_laid_again(
    steady: SteadyView, studio: Studio, table: Scene, picture: Picture
) -> None:
    empty = studio(Scene())
    assert steady.look(empty) == Sight(changed=True)
    assert steady.look(empty).cards == ()
    assert faces(steady.look(picture)) == names(table)


def test_cards_that_are_laid_at_once_beside_each_other_are_all_read_at_once(
    view: SteadyView, studio: Studio, table: Scene, picture: Picture
) -> None:
    before = replace(table, cards=table.cards[:-3], emma=None)
    assert faces(view.look(studio(before))) == names(before)
    assert faces(view.look(picture)) == names(table)


def test_pictures_of_another_size_begin_anew(steady: SteadyView, picture: Picture, table: Scene) -> None:
    larger = np.asarray(cv2.resize(picture, (1640, 1232), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    assert faces(steady.look(larger)) == names(table)
    assert steady.look(np.zeros((130, 170, 3), np.uint8)).cards == ()
    assert faces(steady.look(picture)) == names(table)


def test_grey_pictures_are_read_too(view: SteadyView, picture: Picture) -> None:
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    first, *_, last = [view.look(grey) for _ in range(8)]
    assert set(first.serials) <= set(last.serials)
    assert len(last.cards) >= 4
    assert last.is_still


def test_a_change_counts_when_it_has_been_still(
    attentive: AttentiveReader, emma_finder: EmmaFinder, studio: Studio, table: Scene, picture: Picture
) -> None:
    view = SteadyView(attentive, emma_finder, pictures_to_be_still=3)
    assert [len(view.look(picture).cards) for _ in range(3)] == [0, 0, len(table.cards)]
    fewer = studio(replace(table, cards=table.cards[: free_end(table)]))
    assert [len(view.look(fewer).cards) for _ in range(3)] == [7, 7, 6]
    assert [len(view.look(seen).cards) for seen in (picture, fewer, picture, picture)] == [6, 6, 6, 6]
    with pytest.raises(ValueError, match="one picture"):
        SteadyView(attentive, emma_finder, pictures_to_be_still=0)


def test_what_is_forgotten_is_read_again(steady: SteadyView, picture: Picture, table: Scene) -> None:
    before = steady.look(picture)
    steady.forget()
    after = steady.look(picture)
    assert faces(after) == names(table)
    assert not set(before.serials) & set(after.serials)
