"""Telling two faces apart by their print, pixel by pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Flags, Floats32, Picture
from vision.faces.matching.print_comparer import CardPrint, PrintWindow, print_of, print_windows

PX_PER_MM = 2.5
SIZE = (220, 160)
NUMERAL = (60, 50)
"""Where its middle is: row and column."""


def card(numeral: str, off: tuple[int, int] = (0, 0), ink: int = 90) -> Picture:
    """A plain card with rails and one small numeral."""
    picture = np.full((*SIZE, 3), 200, np.uint8)
    for column in (90, 104):
        cv2.line(picture, (column, 0), (column, SIZE[0]), (60, 60, 60), 2)
    for row in range(0, SIZE[0], 9):
        cv2.line(picture, (84, row), (110, row), (60, 60, 60), 1)
    cv2.putText(picture, numeral, (NUMERAL[1] - 8, NUMERAL[0] + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.7, 3 * (ink,), 1)
    return np.roll(picture, off, (0, 1))


def likelier(seen: Picture, shown: Flags | None = None, faces: tuple[str, str] = ("2", "3")) -> float:
    """How much likelier the first of two faces is."""
    prints = two_prints(faces)
    whole = np.ones(SIZE, bool) if shown is None else shown
    return CardPrint(seen, whole, prints, PX_PER_MM).likelier(prints, windows(prints))


def two_prints(faces: tuple[str, str]) -> tuple[Floats32, Floats32]:
    one, other = (print_of(card(numeral), PX_PER_MM) for numeral in faces)
    return one, other


def windows(prints: tuple[Floats32, Floats32]) -> list[PrintWindow]:
    return print_windows(prints, [NUMERAL], PX_PER_MM)


def grainy(picture: Picture, sigma: float, seed: int = 0) -> Picture:
    noise = np.random.default_rng(seed).normal(0, sigma, picture.shape)
    return np.asarray((picture + noise).clip(0, 255).round(), np.uint8)


@pytest.mark.parametrize("off", [(0, 0), (1, -1), (-1, 1)])
@pytest.mark.parametrize(("numeral", "sign"), [("2", 1), ("3", -1)])
def test_a_numeral_tells_in_another_light_a_little_off_and_soft(numeral: str, sign: int, off: tuple[int, int]) -> None:
    dim = (0.5 * card(numeral, off)).astype(np.uint8)
    soft = np.asarray(cv2.GaussianBlur(dim, (0, 0), 1.0), np.uint8)
    assert sign * likelier(grainy(soft, 4)) > 2.5


def test_what_noise_buries_is_hardly_told() -> None:
    told = [likelier(grainy((0.3 * card("2")).astype(np.uint8), 60, seed)) for seed in range(8)]
    assert max(abs(one) for one in told) < 2


def test_a_numeral_that_is_half_of_each_tells_nothing() -> None:
    between = np.asarray((card("2").astype(int) + card("3")) / 2, np.uint8)
    assert abs(likelier(grainy(between, 2))) < 1


def test_what_is_hidden_tells_nothing() -> None:
    shown = np.ones(SIZE, bool)
    shown[NUMERAL[0] - 15 : NUMERAL[0] + 15, NUMERAL[1] - 15 : NUMERAL[1] + 15] = False
    assert likelier(card("2"), shown) == 0


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_neither_does_a_card_of_one_grey(grey: int) -> None:
    assert likelier(np.full((*SIZE, 3), grey, np.uint8)) == 0


def test_nor_do_faces_that_are_the_same() -> None:
    assert likelier(card("2"), faces=("2", "2")) == 0


@pytest.mark.parametrize(("off", "dark"), [(1.5, 20), (2.0, 60)])
def test_a_dark_frame_that_was_cut_out_askew_does_not_keep_a_pale_numeral_from_counting(off: float, dark: int) -> None:
    frame = slice(NUMERAL[1] - 13, NUMERAL[1] - 8)
    faces = []
    for numeral, moved in (("2", 0.0), ("3", off)):
        face = card(numeral, ink=150)
        face[:, frame] = dark
        shift = np.array([[1, 0, moved], [0, 1, 0]])
        askew = cv2.warpAffine(cv2.GaussianBlur(face, (0, 0), 1.0), shift, SIZE[::-1], borderMode=cv2.BORDER_REPLICATE)
        faces.append(print_of(np.asarray(askew, np.uint8), PX_PER_MM))
    (window,) = windows((faces[0], faces[1]))
    columns = np.nonzero(window.counts)[1] + window.left
    assert (columns > frame.stop + 2).mean() > 0.4


def test_without_windows_nothing_is_told() -> None:
    prints = two_prints(("2", "3"))
    assert print_windows(prints, [], PX_PER_MM) == []
    assert CardPrint(card("2"), np.ones(SIZE, bool), prints, PX_PER_MM).likelier(prints, []) == 0


def rails(column: int) -> Picture:
    """A plain card with two thin rails about this column."""
    picture = np.full((*SIZE, 3), 200, np.uint8)
    for rail in (column - 7, column + 7):
        cv2.line(picture, (rail, 0), (rail, SIZE[0]), (150, 150, 150), 2)
    return picture


def likelier_by_all(seen: Picture, shown: Flags | None = None, columns: tuple[int, int] = (60, 100)) -> float:
    """How much likelier rails about the first column are than about the second one."""
    one, other = (print_of(rails(column), PX_PER_MM) for column in columns)
    whole = np.ones(SIZE, bool) if shown is None else shown
    return CardPrint(seen, whole, (one, other), PX_PER_MM).likelier_by_all((one, other))


@pytest.mark.parametrize("off", [(0, 0), (2, -1), (-2, 2)])
@pytest.mark.parametrize(("column", "sign"), [(60, 1), (100, -1)])
def test_rails_that_noise_hides_nearly_tell_by_their_whole_length(column: int, sign: int, off: tuple[int, int]) -> None:
    told = [sign * likelier_by_all(grainy(np.roll(rails(column), off, (0, 1)), 60, seed)) for seed in range(8)]
    assert min(told) > 1
    assert np.mean(told) > 2


def test_by_all_of_it_a_card_that_is_half_of_each_tells_nothing() -> None:
    between = np.asarray((rails(60).astype(int) + rails(100)) / 2, np.uint8)
    assert abs(likelier_by_all(grainy(between, 2))) < 0.5


def test_by_all_of_it_neither_does_a_card_of_which_nothing_is_shown() -> None:
    assert likelier_by_all(rails(60), np.zeros(SIZE, bool)) == 0


def test_by_all_of_it_nor_do_rails_at_the_same_place() -> None:
    assert likelier_by_all(rails(60), columns=(60, 60)) == 0
