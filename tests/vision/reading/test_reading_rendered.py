"""Whole tables are read rightly that were never seen before: cards, places and Emma, of two quite different decks."""

from collections import Counter
from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.tools.measure_reading import DIFFICULTIES, Eye, Picture, renderer_of, score_of, table_of
from tests.tools.second_deck import blueprint_deck
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.reading.reader import Reader
from vision.rendering import Emma, LyingCard, Scene
from vision.rendering.conditions import draw_conditions

EASIER = DIFFICULTIES[:2]
CORNERS_MM = 3.0
"""How far off a card's corners may be."""


@pytest.fixture(scope="module")
def eyes(own: DeckPictures) -> dict[str, Eye]:
    decks = {"own": own, "second": blueprint_deck()}
    return {name: Eye(pictures, pictures.faces) for name, pictures in decks.items()}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("deck", ["own", "second"])
def test_every_table_is_read_rightly(eyes: dict[str, Eye], deck: str, seed: int) -> None:
    score = eyes[deck].result(seed, EASIER[seed % len(EASIER)]).score
    assert score.wrong == []
    assert score.found == score.need > 0
    assert max(score.corners_mm) < CORNERS_MM


def test_a_card_under_emma_is_read_in_dim_light_and_glare(eyes: dict[str, Eye]) -> None:
    assert eyes["second"].result(59, "hard").score.wrong == []


def test_a_card_too_faint_to_be_sure_of_is_read_because_emma_stands_on_it(eyes: dict[str, Eye]) -> None:
    assert eyes["second"].result(149, "hard").score.wrong == []


def test_a_card_that_shows_too_little_to_be_tried_is_found_because_emma_would_stand_on_it(eyes: dict[str, Eye]) -> None:
    assert eyes["second"].result(1469, "hard").score.wrong == []


def test_in_the_dark_a_card_is_read_that_is_as_plain_as_the_others(eyes: dict[str, Eye]) -> None:
    assert eyes["second"].result(293, "hard").score.wrong == []


@pytest.mark.parametrize("seed", [731, 836])
def test_where_emma_hides_whether_a_track_is_broken_the_deck_says_what_is_likelier(
    eyes: dict[str, Eye], seed: int
) -> None:
    eye = eyes["second"]
    table = table_of(eye.pictures, seed, "hard")
    read = eye.reader.read(table.picture)
    assert score_of(table.truth, read, eye.finder.find(table.picture, read)).wrong == []

    deck = eye.pictures.deck
    broken = [replace(face, count=9) if face.id == "broken-2" else face for face in deck.faces]
    another = Reader(replace(deck, faces=tuple(broken)), eye.pictures.faces, eye.pictures.back)
    expected = Counter(card.face for card in read) - Counter(["track-2-right"]) + Counter(["broken-2"])
    assert Counter(card.face for card in another.read(table.picture)) == expected


def test_a_card_in_glare_is_read_where_the_rails_of_both_its_neighbours_lead() -> None:
    pictures = blueprint_deck()
    assert Eye(pictures, as_photographed(pictures)).result(11, "hard").score.wrong == []


def test_what_is_far_fainter_than_the_cards_beside_it_is_no_card(own: DeckPictures) -> None:
    """The seam of a wooden table, which begins at the end of the railway."""
    assert Eye(own, as_photographed(own)).result(543, "easy").score.wrong == []


def as_photographed(pictures: DeckPictures) -> dict[str, Picture]:
    """The faces as small and as soft as a camera above the table sees them, in the light of a lamp."""
    width, height = (round(1.5 * side) for side in pictures.deck.card_mm)
    shrunk = {
        face: cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA) for face, image in pictures.faces.items()
    }
    lit = {face: cv2.GaussianBlur(image, (0, 0), 0.8) * (0.8, 0.85, 0.9) for face, image in shrunk.items()}
    return {face: image.astype(np.uint8) for face, image in lit.items()}


def test_another_table_than_the_one_that_was_read_is_wrong(eyes: dict[str, Eye]) -> None:
    """The judge itself: what was read of one table does not pass for another."""
    eye = eyes["own"]
    shown, other = (table_of(eye.pictures, seed, "easy") for seed in (0, 1))
    read = eye.reader.read(shown.picture)
    emma = eye.finder.find(shown.picture, read)
    assert score_of(shown.truth, read, emma).wrong == []
    wrong = " ".join(score_of(other.truth, read, emma).wrong)
    assert "missed" in wrong
    assert "false" in wrong
    assert "Emma" in wrong


def test_a_seam_of_the_table_in_line_with_the_rails_is_no_card(eyes: dict[str, Eye]) -> None:
    conditions = draw_conditions("easy", Random(31), (738, 554))
    assert conditions.tabletop.kind == "wood"
    eye = eyes["own"]
    across = LyingCard("track-1-across", Pose(424.4, 399.3, 2.3), curl_mm=0.4)
    straight = LyingCard("track-4-straight", Pose(501.9, 401.5, 93.3), curl_mm=0.2)
    scene = Scene((across, straight), Emma(straight.pose))
    view = renderer_of(eye.pictures, conditions)
    picture = view.photograph(scene, conditions.light, conditions.sensor, 133).picture
    assert sorted(card.face for card in eye.reader.read(picture)) == ["track-1-across", "track-4-straight"]
