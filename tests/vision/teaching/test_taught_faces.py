"""Cutting cards out, telling sharp from blurred, telling faces apart."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.random_decks.random_deck import random_deck
from vision.cards import Face, Kind
from vision.deck_pictures import DeckPictures
from vision.files import read_deck
from vision.picture_files import read_picture
from vision.teaching.lone_card import LoneCard
from vision.teaching.taught_faces import Lesson, MixedUp, TaughtFaces, alike_faces, cut_out, edge_spread_mm, unlikeness

Image = NDArray[np.uint8]
SHARED = Path(__file__).parents[4] / "shared"


def face(text: str, colour: tuple[int, int, int] = (60, 150, 90), width: int = 252) -> Image:
    image = np.full((352, 252, 3), 245, np.uint8)
    cv2.rectangle(image, (12, 12), (239, 339), colour, -1)
    cv2.putText(image, text, (30, 90), cv2.FONT_HERSHEY_SIMPLEX, 2.4, (20, 20, 40), 8)
    cv2.circle(image, (130, 220), 50, (200, 200, 210), -1)
    return np.asarray(cv2.resize(image, (width, round(width * 88 / 63)), interpolation=cv2.INTER_AREA), np.uint8)


def photographed(image: Image, seed: int) -> Image:
    """The same face in another light, a little off, with noise."""
    random = np.random.default_rng(seed)
    height, width = image.shape[:2]
    moved = cv2.warpAffine(image, np.array([[1, 0.01, 1.5], [-0.01, 1, -1.0]]), (width, height), borderMode=1)
    shade = np.linspace(0.6, 0.85, width)[None, :, None] * np.array([0.9, 1.0, 1.1])
    return np.clip(moved * shade + random.normal(0, 4, moved.shape), 0, 255).astype(np.uint8)


def corners(width: float, height: float) -> NDArray[np.float64]:
    return np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])


def test_a_cut_out_is_the_card_and_nothing_else() -> None:
    picture = np.full((900, 1200, 3), 90, np.uint8)
    picture[100:452, 300:552] = face("3")
    card = LoneCard(corners(252, 352) + np.array([299.5, 99.5]), 1.0)
    cut = cut_out(picture, card)
    assert cut.shape == (528, 378, 3)
    back = cv2.resize(cut, (252, 352), interpolation=cv2.INTER_AREA).astype(int)
    assert np.abs(back - face("3")).mean() < 3


@pytest.mark.parametrize(("card_px", "width"), [(40, 64), (63, 94), (105, 158), (504, 756), (3000, 756)])
def test_a_cut_out_has_no_more_pixels_than_are_in_the_photograph(card_px: int, width: int) -> None:
    picture = np.full((int(card_px * 88 / 63) + 40, card_px + 40, 3), 200, np.uint8)
    card = LoneCard(corners(card_px, card_px * 88 / 63) + 20, 1.0)
    cut = cut_out(picture, card)
    assert abs(cut.shape[1] - width) <= 1
    assert cut.shape[0] == pytest.approx(cut.shape[1] * 88 / 63, abs=1)


def test_a_slanted_card_is_straightened() -> None:
    slanted = np.array([(120.0, 80.0), (380.0, 130.0), (350.0, 480.0), (60.0, 400.0)])
    homography = cv2.getPerspectiveTransform(corners(252, 352).astype(np.float32), slanted.astype(np.float32))
    picture = cv2.warpPerspective(face("3"), homography, (500, 600), borderValue=(90, 90, 90))
    assert not unlikeness(cut_out(np.asarray(picture, np.uint8), LoneCard(slanted, 1.0)), face("3")).is_enough


@pytest.mark.parametrize("width", [126, 252, 756])
def test_blur_is_measured_in_millimetres_whatever_the_size(width: int) -> None:
    image = face("3", width=width)
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.5 * width / 63), np.uint8)
    assert edge_spread_mm(image) < 0.6
    assert 0.9 < edge_spread_mm(blurred) < 2.2


def test_a_blank_face_has_no_sharp_edge() -> None:
    assert edge_spread_mm(np.full((352, 252, 3), 200, np.uint8)) == float("inf")


@pytest.mark.parametrize("turned", [False, True])
def test_one_face_in_two_lights_is_one_face(turned: bool) -> None:
    one, other = photographed(face("3"), 1), photographed(face("3"), 2)
    if turned:
        other = np.ascontiguousarray(other[::-1, ::-1])
    assert not unlikeness(one, other).is_enough


@pytest.mark.parametrize(
    "other", [face("2"), face("3", colour=(60, 90, 190)), face("3")[:, ::-1]], ids=["numeral", "colour", "mirrored"]
)
def test_a_numeral_or_a_colour_is_enough(other: Image) -> None:
    assert unlikeness(photographed(face("3"), 1), photographed(np.ascontiguousarray(other), 2)).is_enough


def test_alike_faces_are_named_in_the_order_of_the_deck() -> None:
    faces = {"b": face("3"), "a": face("4"), "c": photographed(face("3"), 1), "d": photographed(face("4"), 2)}
    assert alike_faces(faces) == [("b", "c"), ("a", "d")]


def test_faces_of_unequal_sizes_are_compared() -> None:
    assert alike_faces({"a": face("3"), "b": face("3", width=158), "c": face("2", width=100)}) == [("a", "b")]


def test_a_deck_that_somebody_else_drew_can_be_told_apart(meadow: DeckPictures) -> None:
    assert alike_faces(meadow.faces) == []


def test_real_cards_that_differ_in_colour_only() -> None:
    folder = SHARED / "photos" / "faces"
    if not folder.is_dir():
        pytest.skip("the shared photographs are not here")
    faces = {name: read_picture(folder / f"{name}.jpg") for name in ("1-red-solid-oval", "1-green-solid-oval")}
    assert alike_faces(faces) == []


def test_the_sharper_cut_out_is_kept() -> None:
    taught = TaughtFaces([Face("a", 1, Kind.CHAOS, 1), Face("b", 2, Kind.CHAOS, 1)])
    blurred = np.asarray(cv2.GaussianBlur(face("3"), (0, 0), 8), np.uint8)
    assert taught.missing == taught.open == ("a", "b")
    assert taught.teach("a", blurred) is Lesson.NEW
    assert (taught.blurred, taught.missing, taught.open) == (("a",), ("b",), ("a", "b"))
    assert taught.teach("a", face("3")) is Lesson.SHARPER
    assert taught.teach("a", blurred) is Lesson.KEPT
    assert np.array_equal(taught["a"], face("3"))
    assert (taught.blurred, taught.open, len(taught)) == ((), ("b",), 1)
    assert taught.teach("b", photographed(face("3"), 1)) is Lesson.NEW
    assert taught.mixed_up() == ([("a", "b")], [])
    with pytest.raises(KeyError):
        taught.teach("c", face("3"))


def test_cards_of_others_with_thin_numerals_are_told_apart() -> None:
    folder = SHARED / "frames" / "ticket-teach"
    if not folder.is_dir():
        pytest.skip("the shared pictures are not here")
    deck = read_deck(SHARED / "decks" / "ticket" / "deck.json")
    taught = TaughtFaces(deck.faces, deck.card_mm)
    for frame in json.loads((folder / "truth.json").read_text())["frames"]:
        (card,) = frame["cards"]
        lies = LoneCard(np.array(card["corners_px"]), 1.0)
        taught.teach(card["face"], cut_out(read_picture(folder / frame["image"]), lies, deck.card_mm))
    assert not taught.missing
    assert taught.mixed_up() == ([], [])


@pytest.fixture(scope="module")
def thin_numerals() -> DeckPictures:
    """Of a deck of which a thin numeral is all that tells the values apart, as a camera might see it."""
    pictures, random = random_deck(399), np.random.default_rng(0)
    size = [round(2 * side) for side in pictures.deck.card_mm]
    seen = {face: cv2.GaussianBlur(cv2.resize(image, size), (0, 0), 0.8) for face, image in pictures.faces.items()}
    noisy = {face: (image + random.normal(0, 6, image.shape)).clip(0, 255) for face, image in seen.items()}
    return DeckPictures(pictures.deck, {face: image.astype(np.uint8) for face, image in noisy.items()})


def mixed_up(deck: DeckPictures, *exchanged: tuple[str, str]) -> MixedUp:
    """What is said of a deck of which the photographs for some faces are those for others."""
    taught = TaughtFaces(deck.deck.faces, deck.deck.card_mm)
    of = dict(exchanged)
    for face in deck.faces:
        taught.teach(face, deck.faces[of.get(face, face)])
    return taught.mixed_up()


def test_thin_numerals_tell_faces_apart(thin_numerals: DeckPictures) -> None:
    assert alike_faces(thin_numerals.faces)  # by themselves they do not
    assert mixed_up(thin_numerals) == ([], [])


def test_of_thin_numerals_one_card_photographed_twice_is_said(thin_numerals: DeckPictures) -> None:
    twice = mixed_up(thin_numerals, ("track-3-left", "track-2-left"))
    assert twice == ([("track-2-left", "track-3-left")], [])


def test_photographs_that_are_mixed_up_are_said(thin_numerals: DeckPictures) -> None:
    told = mixed_up(thin_numerals, ("track-3-left", "track-2-left"), ("track-2-left", "track-3-left"))
    assert told == ([], [("track-2-left", "track-3-left")])


def test_so_are_several_which_blur_what_values_have_in_common(thin_numerals: DeckPictures) -> None:
    pairs = [("track-2-left", "track-3-left"), ("track-1-right", "track-4-right")]
    told = mixed_up(thin_numerals, *pairs, *((other, one) for one, other in pairs))
    assert sorted(told.exchanged) == sorted(pairs)
    assert told.alike == []
