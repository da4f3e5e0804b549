"""Reading cards in pictures: of a deck and tables that others drew, and of rendered tables with our own."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.games.loknroll.robot.pictured_games import pictured_game
from companion.games.loknroll.rules import Mode, load_edition, set_up
from tests.vision.reading.scores import score_of
from tests.vision.reading.unseen_tables import table_of
from vision.arrays import Region
from vision.cards import DeckError, Kind, Pose
from vision.deck_pictures import DeckPictures
from vision.picture_files import read_picture
from vision.reading import place_search
from vision.reading.reader import CardReading, Reader
from vision.reading.searched_picture import Changed
from vision.reading.seen_places import Edged
from vision.rendering import Light, LyingCard, Renderer, Scene, Sensor, Tabletop, camera_above
from vision.rendering.conditions import draw_conditions
from vision.report.joints import railway_order

SHARED = Path(__file__).parents[4] / "shared"
Image = NDArray[np.uint8]


def millimetres_off(card: CardReading, corners: NDArray[np.float64]) -> float:
    """The distance of the corners, in mm."""
    scale = np.linalg.norm(corners[3] - corners[0]) / 88
    return float(np.sqrt(((card.corners_px - corners) ** 2).sum(axis=1).mean()) / scale)


@pytest.mark.parametrize("seed", range(5))
def test_every_card_of_a_rendered_table_is_read(own: DeckPictures, reader: Reader, seed: int) -> None:
    random = Random(seed)
    moments = pictured_game(set_up(load_edition(), own.deck, Mode.BETSY, ["Ann"]), random).moments
    scene = max((moment.scene for moment in moments), key=lambda scene: len(scene.cards))
    conditions = draw_conditions("easy", random)
    view = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back)
    picture = view.photograph(scene, conditions.light, conditions.sensor, seed).picture
    read = reader.read(picture)
    assert len(read) == len(scene.cards)
    for card in scene.cards:
        corners = view.corners(card)
        nearest = min(read, key=lambda reading: millimetres_off(reading, corners))
        assert nearest.face == card.face
        assert millimetres_off(nearest, corners) < 1.5
    railway = [card.face for card in scene.cards if not card.on_show_spot]
    order = [read[index].face for index in railway_order(read, own.deck, None)]
    assert railway in (order, order[::-1])


def test_an_empty_table_has_no_cards(own: DeckPictures, reader: Reader) -> None:
    for seed in range(2):
        conditions = draw_conditions("normal", Random(seed))
        view = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back)
        scene = Scene(clutter=conditions.clutter)
        picture = view.photograph(scene, conditions.light, conditions.sensor, seed).picture
        assert reader.read(picture) == []


def test_where_no_card_is_known_what_is_unlikely_takes_little_time(
    own: DeckPictures, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most tables are empty at first, and many a pattern is a little like cards, wherever one looks."""
    looked: list[object] = []
    edged = place_search.edged

    def counted(*place: Any) -> Edged:
        looked.append(place)
        return edged(*place)

    monkeypatch.setattr(place_search, "edged", counted)
    for seed in range(3):
        conditions = draw_conditions("hard", Random(seed), (1640, 1232))
        view = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back)
        reader.read(view.photograph(Scene(), conditions.light, conditions.sensor, seed).picture)
    assert len(looked) < 120


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((400, 600, 3), np.uint8),
        np.full((400, 600, 3), 255, np.uint8),
        np.random.default_rng(0).integers(0, 256, (400, 600, 3), dtype=np.uint8),
        np.zeros((120, 120, 3), np.uint8),
    ],
    ids=["black", "white", "noise", "tiny"],
)
def test_pictures_of_nothing_have_no_cards(reader: Reader, picture: Image) -> None:
    assert reader.read(picture) == []


def test_plain_faces_cannot_be_taught(own: DeckPictures) -> None:
    plain = {face.id: np.full((352, 252, 3), 240, np.uint8) for face in own.deck.faces}
    with pytest.raises(DeckError, match="too plain"):
        Reader(own.deck, plain)


def test_a_chaos_card_is_no_railway(own: DeckPictures) -> None:
    corners = np.array([(100.0, 100), (163, 100), (163, 188), (100, 188)])
    assert railway_order([CardReading("chaos-1", corners, 0.9, 0.1)], own.deck, None) == []


SIZE = (1230, 924)
FACES = ["track-2-left", "track-3-straight", "broken-1", "chaos-2"]
PLACES = [(200.0, 160.0, 4.0), (430.0, 190.0, -20.0), (230.0, 420.0, 95.0), (560.0, 400.0, 180.0)]


class Laid(NamedTuple):
    """Cards that lie apart, where their corners are, and the picture of them."""

    faces: list[str]
    corners: list[NDArray[np.float64]]
    picture: Image


def laid(own: DeckPictures, faces: list[str], size: tuple[int, int] = SIZE) -> Laid:
    """These faces at the first places; one without a name is a card that shows its back."""
    camera = camera_above((400, 300), 720, size, tilt_deg=8)
    view = Renderer(camera, Tabletop("felt", (35, 100, 60)), own.faces, own.back, own.deck.card_mm)
    cards = tuple(LyingCard(face, Pose(*place)) for face, place in zip(faces, PLACES, strict=False))
    picture = view.photograph(Scene(cards=cards), Light(), Sensor(noise=0.01), 1).picture
    return Laid(faces, [view.corners(card) for card in cards], picture)


def around(corners: NDArray[np.float64], margin_px: int = 40) -> Region:
    left, top = (corners.min(axis=0) - margin_px).astype(int).tolist()
    right, bottom = (corners.max(axis=0) + margin_px).astype(int).tolist()
    return Region(left, top, right - left, bottom - top)


def names(read: list[CardReading]) -> list[str]:
    return sorted(card.face for card in read)


def are_same(read: list[CardReading], others: list[CardReading]) -> bool:
    return len(read) == len(others) and all(
        np.array_equal(card.corners_px, other.corners_px)
        and (card.face, card.likeness, card.lead) == (other.face, other.likeness, other.lead)
        for card, other in zip(read, others, strict=True)
    )


@pytest.fixture(scope="module")
def four(own: DeckPictures) -> Laid:
    return laid(own, FACES)


@pytest.fixture(scope="module")
def known(four: Laid, reader: Reader) -> list[CardReading]:
    """What is read of the four cards, in the order in which they lie there."""
    read = reader.read(four.picture)
    return [min(read, key=lambda card: millimetres_off(card, corners)) for corners in four.corners]


def test_only_where_something_has_changed_is_looked(four: Laid, reader: Reader, known: list[CardReading]) -> None:
    assert [card.face for card in known] == four.faces
    regions = [around(corners) for corners in four.corners]
    assert names(reader.read(four.picture, (), Changed(regions[:1]))) == four.faces[:1]
    assert names(reader.read(four.picture, known[:2], Changed(regions[2:3]))) == sorted(four.faces[:3])
    assert are_same(reader.read(four.picture, known[:2], Changed([Region(0, 0, 90, 90)])), known[:2])
    assert are_same(reader.read(four.picture, known, Changed([])), known)


def test_a_new_card_is_found_beside_the_known_ones(four: Laid, reader: Reader, known: list[CardReading]) -> None:
    for index, corners in enumerate(four.corners):
        others = [card for card in known if card is not known[index]]
        read = reader.read(four.picture, others, Changed([around(corners)]))
        assert are_same(read[:3], others)
        assert [card.face for card in read[3:]] == [four.faces[index]]
        assert millimetres_off(read[3], corners) < 1.5


def test_what_is_known_is_never_displaced(four: Laid, reader: Reader, known: list[CardReading]) -> None:
    """Even if another face is seen quite clearly just there: what is known to lie there was judged before."""
    wrong = known[0]._replace(face="track-4-right", likeness=0.4, lead=0.0)
    for changed in (None, Changed([around(four.corners[0])])):
        read = reader.read(four.picture, [wrong], changed)
        assert are_same(read[:1], [wrong])
        assert four.faces[0] not in names(read)


def test_a_card_is_still_there_until_it_is_not(own: DeckPictures, reader: Reader, known: list[CardReading]) -> None:
    fewer = laid(own, FACES[:2]).picture
    others = laid(own, ["track-2-right", "track-3-straight", FACES[0], FACES[3]]).picture
    in_both = [reader.still_there(fewer, card) for card in known]
    assert min(in_both[:2]) > 0.8
    assert max(in_both[2:]) < 0.3
    assert reader.still_there(others, known[0]) < 0.7 * in_both[0]
    beyond = known[0]._replace(corners_px=known[0].corners_px + 5000)
    assert reader.still_there(fewer, beyond) == -1.0


def test_a_card_that_shows_its_back_is_no_face(own: DeckPictures, reader: Reader) -> None:
    """Not even if a face has nearly the picture of the back."""
    face_down = laid(own, ["", "track-3-straight", "", "chaos-2"])
    assert names(reader.read(face_down.picture)) == ["chaos-2", "track-3-straight"]
    few = replace(own.deck, faces=tuple(face for face in own.deck.faces if face.id in {*FACES, "chaos-1"}))
    like_back = {**own.faces, "chaos-1": np.asarray(cv2.addWeighted(own.back, 0.9, own.faces["chaos-1"], 0.1, 0))}
    knowing, unknowing = Reader(few, like_back, own.back), Reader(few, like_back)
    assert names(unknowing.read(face_down.picture)) == ["chaos-1", "chaos-1", "chaos-2", "track-3-straight"]
    assert names(knowing.read(face_down.picture)) == ["chaos-2", "track-3-straight"]


def test_corners_in_a_large_picture_are_in_its_own_pixels(own: DeckPictures, reader: Reader) -> None:
    large = laid(own, FACES, (2400, 1800))
    read = reader.read(large.picture)
    assert names(read) == sorted(FACES)
    for face, corners in zip(large.faces, large.corners, strict=True):
        (card,) = (card for card in read if card.face == face)
        assert millimetres_off(card, corners) < 1.5
    rest = [card for card in read if card.face != FACES[3]]
    again = reader.read(large.picture, rest, Changed([around(large.corners[3], 80)]))
    assert [card.face for card in again] == [*(card.face for card in rest), FACES[3]]
    assert millimetres_off(again[3], large.corners[3]) < 1.5
    for card, before in zip(again, rest, strict=False):
        assert np.allclose(card.corners_px, before.corners_px)


@pytest.fixture(scope="module")
def symbols(own: DeckPictures) -> Reader:
    """A deck without tracks: its cards lie apart, and their looks tell which they are."""
    chaos = tuple(face for face in own.deck.faces if face.kind is Kind.CHAOS)
    return Reader(replace(own.deck, faces=chaos), {face.id: own.faces[face.id] for face in chaos}, own.back)


def test_cards_of_a_deck_without_tracks_are_read(own: DeckPictures, symbols: Reader) -> None:
    table = laid(own, ["chaos-1", "chaos-2", "chaos-3", ""])
    read = symbols.read(table.picture)
    assert names(read) == ["chaos-1", "chaos-2", "chaos-3"]
    for card in read:
        assert millimetres_off(card, table.corners[table.faces.index(card.face)]) < 1.5
    again = symbols.read(table.picture, read[:2], Changed([around(table.corners[table.faces.index(read[2].face)], 60)]))
    assert [card.face for card in again] == [card.face for card in read[:3]]


def test_symbols_may_be_mirrored(own: DeckPictures, symbols: Reader) -> None:
    """As some printings of a deck do, and some cameras."""
    table = laid(own, ["chaos-1", "chaos-2", "chaos-3"])
    assert names(symbols.read(np.ascontiguousarray(table.picture[:, ::-1]))) == sorted(table.faces)


def test_cards_whose_rails_are_not_known_are_read(own: DeckPictures) -> None:
    unknown = replace(own.deck, faces=tuple(replace(face, ports=()) for face in own.deck.faces))
    table = table_of(own, 1, difficulty="easy")
    score = score_of(table.truth, Reader(unknown, own.faces).read(table.picture), None)
    assert (score.found, score.false) == (score.need, 0)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the pictures in ../shared are not here")
@pytest.mark.parametrize(("folder", "least"), [("meadow-betsy", 0.95), ("meadow-two", 0.98)])
def test_cards_in_pictures_that_others_made(meadow_reader: Reader, folder: str, least: float) -> None:
    frames = json.loads((SHARED / "frames" / folder / "truth.json").read_text())["frames"]
    still = [frame for frame in frames if not frame["hand"]]
    found = wanted = 0
    for frame in still[:: max(1, len(still) // 6)]:
        read = meadow_reader.read(cv2.imread(str(SHARED / "frames" / folder / frame["image"])))
        matched = [matching(card, read) for card in frame["cards"]]
        assert len(read) == sum(match is not None for match in matched)  # no false card
        for card, match in zip(frame["cards"], matched, strict=True):
            assert match is None or match.face == card["face"]
            wanted += card["visible"] >= 0.6
            found += card["visible"] >= 0.6 and match is not None
    assert found / wanted >= least


def test_cards_in_photographs_of_another_game_are_read(photos: DeckPictures) -> None:
    reader = Reader(photos.deck, photos.faces)
    right = wanted = 0
    for image, on_table in json.loads((SHARED / "photos/boards.json").read_text()).items():
        read = names(reader.read(read_picture(SHARED / "photos" / image)))
        right += (Counter(read) & Counter(on_table)).total()
        wanted += len(on_table)
    assert right / wanted >= 0.96


def matching(card: dict[str, Any], read: list[CardReading]) -> CardReading | None:
    corners = np.array(card["corners_px"])
    near = [reading for reading in read if millimetres_off(reading, corners) < 22]  # as the scorer pairs them
    return near[0] if near else None
