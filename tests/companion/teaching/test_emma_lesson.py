"""Emma is taught the same way: put on a card that is known, seen, and confirmed with a press."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.events import Tick
from companion.teaching.emma_steps import drawn_emma
from companion.teaching.lesson import Lesson
from companion.teaching.on_page import EMMA
from companion.teaching.own_deck import OwnDeck
from companion.teaching.steps import Learning
from companion.teaching.taught_deck import TaughtDeck
from companion.teaching.teaching_eyes import EmmaFound, NoEmma
from hardware.buttons import Button
from tests.companion.teaching.drawn_lesson import FACES, Desk
from tests.companion.teaching.test_on_page import told
from vision.cards import Deck
from vision.deck_pictures import EmmaPicture
from vision.watching.steady_view import no_still

ROLL, PASS, UP, BACK = Button.ROLL, Button.PASS, Button.UP, Button.BACK
TWELVE = tuple(name for name in FACES if FACES[name].ports)[:12]
BLUE = (200, 90, 30)


def figure() -> EmmaPicture:
    """A blue locomotive, with a lighter cab."""
    picture = np.zeros((110, 50, 3), np.uint8)
    picture[2:108, 3:47], picture[70:104, 6:44] = BLUE, (250, 200, 160)
    return EmmaPicture(picture, (16.7, 36.7))


def test_before_the_deck_is_made_emma_is_asked_for_and_skipped_with_one_press(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *TWELVE)
    desk.press(ROLL)
    assert desk.screen.main == "Put Emma on a card"
    desk.press(ROLL)
    assert isinstance(desk.teaching.step, Learning)
    assert desk.lesson.emma is None


def test_what_stands_on_the_card_is_shown_and_confirmed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *TWELVE)
    desk.press(ROLL)
    desk.tell(NoEmma("no-emma"))
    assert desk.screen.lines == ("There is nothing on the card.",)
    desk.tell(EmmaFound(figure()))
    assert desk.screen.main == "Is this Emma?"
    assert desk.screen.drawing == drawn_emma(figure())
    assert (told(desk)["step"], type(told(desk)["emma"])) == ("emmashown", int)
    assert np.array_equal(desk.teaching.picture(EMMA), figure().picture)
    desk.press(PASS)
    assert (desk.screen.main, desk.lesson.emma) == ("Put Emma on a card", None)
    desk.tell(EmmaFound(figure()))
    desk.press(ROLL)
    assert isinstance(desk.teaching.step, Learning)
    kept = Lesson(tmp_path / "lesson").emma
    assert kept is not None
    assert np.array_equal(kept.picture, figure().picture)


def test_she_can_be_taught_again_later_and_is_not_asked_for_twice(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *TWELVE)
    desk.press(UP)
    desk.tell(EmmaFound(figure()))
    desk.press(ROLL)
    assert desk.screen.lines == ("Emma: taught.",)
    desk.press(UP)
    assert desk.screen.lines == ("Already taught. This replaces her.",)
    assert not desk.screen.keys[0]
    desk.press(BACK, ROLL)
    assert isinstance(desk.teaching.step, Learning)


def test_a_full_memory_card_keeps_no_emma_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, *TWELVE)
    desk.press(UP)
    desk.tell(EmmaFound(figure()))
    monkeypatch.setattr("companion.teaching.lesson.write_whole", _raise)
    desk.press(ROLL)
    assert desk.screen.lines == ("Not saved. Is the memory card full?",)
    assert desk.lesson.emma is None


def _raise(*_: object) -> None:
    raise OSError


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"png": "AAAA", "size_mm": [20, 30]}', b"[" * 100_000])
def test_a_broken_file_of_hers_is_as_none(tmp_path: Path, damage: bytes) -> None:
    lesson = Lesson(tmp_path)
    lesson.keep_emma(figure())
    (tmp_path / "emma.json").write_bytes(damage)
    assert Lesson(tmp_path).emma is None


@pytest.mark.parametrize("size_mm", [(0, 0), (1e9, 2e9), (30.0, 17.0)])
def test_a_size_that_she_cannot_have_is_as_none(tmp_path: Path, size_mm: tuple[float, float]) -> None:
    lesson = Lesson(tmp_path)
    lesson.keep_emma(figure())
    kept = msgspec.json.decode((tmp_path / "emma.json").read_bytes())
    (tmp_path / "emma.json").write_bytes(msgspec.json.encode({**kept, "size_mm": size_mm}))
    assert Lesson(tmp_path).emma is None


def test_the_deck_brings_her_along_in_its_file(tmp_path: Path) -> None:
    face = FACES["track-1-left"]
    own = OwnDeck(tmp_path / "deck.zip")
    own.keep(TaughtDeck(Deck("own", (face,)), {face.id: np.full((176, 126, 3), 90, np.uint8)}, (), figure()))
    read = OwnDeck(tmp_path / "deck.zip").pictures
    assert read is not None
    assert read.emma is not None
    assert np.array_equal(read.emma.picture, figure().picture)
    assert read.deck.emma is not None
    assert read.deck.emma.size_mm == figure().size_mm


def test_the_eyes_find_her_on_a_card_that_was_taught(tmp_path: Path) -> None:
    """The card lies there as it was shown, pushed a little, with a blue block on it."""
    desk = Desk(tmp_path, *TWELVE[:3])
    taught = desk.lesson.cards[1]
    picture = cv2.imread(str(desk.lesson.photograph(taught.number)))
    middle = taught.card.corners_px.mean(axis=0)
    px = taught.card.px_per_mm()
    shown = picture.copy()
    block = cv2.boxPoints((middle.tolist(), (15 * px, 36 * px), 20.0)).astype(np.int32)
    cv2.fillConvexPoly(shown, block, BLUE)
    desk.press(UP)
    for _ in range(6):
        desk.eyes.look(shown, (), no_still)
    desk.teaching.handle(Tick(0.0))
    picture = desk.teaching.picture(EMMA)
    assert picture is not None
    seen = picture[picture.any(axis=2)]
    assert np.median(np.abs(np.median(seen, axis=0) - BLUE)) < 20
    assert len(seen) / 9 == pytest.approx(15 * 36, rel=0.25)
