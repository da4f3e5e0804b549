"""Teaching on a page: what it is told, and what somebody says there of the card that is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.events import CardTold, Sound
from companion.teaching.lesson import Lesson
from companion.teaching.taught_deck import make_deck
from hardware.buttons import Button
from tests.companion.teaching.drawn_lesson import FACES, Desk, facts, photographed
from vision.cards import Edge, Kind, Port

LEFT = (("S", 0.0), ("W", 0.0))


def told(desk: Desk) -> dict[str, Any]:
    """What the page is told, as it comes there."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(desk.teaching.facts()))
    return decoded


def say(desk: Desk, **changed: Any) -> None:
    """Somebody says on the page that it is a 3, curve left, unless something else is said."""
    answer = CardTold(told(desk)["asked"]["question"], 3, "track", LEFT, is_placed=True)
    desk.effects = desk.teaching.handle(replace(answer, **changed))


def test_what_is_offered_wrongly_is_put_right_at_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.show("track-3-left", facts("track-1-right"))
    asked = told(desk)["asked"]
    assert (asked["value"], asked["kind"]) == (1, "track")
    say(desk, ports=(("S", 4.25), ("W", -3.0)))
    assert desk.taught == [
        replace(facts("track-3-left"), ports=(Port(Edge.S, 4.2), Port(Edge.W, -3.0)), is_placed=True)
    ]
    assert Sound("right") in desk.effects
    assert told(desk)["cards"][0]["ports"] == [["S", 4.2], ["W", -3.0]]
    assert Lesson(tmp_path / "lesson").cards[0].facts == desk.taught[0]


def test_a_value_that_nobody_has_read_is_not_offered(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.show("track-3-left", value=None)
    assert told(desk)["asked"]["value"] is None
    desk.press(Button.BACK)
    assert told(desk)["step"] == "whichrails"
    assert told(desk)["asked"]["value"] is None


def test_what_is_said_of_a_card_before_counts_for_no_other(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.show("track-3-left")
    before = told(desk)["asked"]["question"]
    desk.press(Button.ROLL)
    desk.show("track-1-right")
    say(desk, asked=before)
    assert desk.taught == [facts("track-3-left")]
    desk.press(Button.ROLL)
    # Nor does it while nothing is asked.
    desk.teaching.handle(CardTold(before + 1, 3, "track", LEFT))
    assert len(desk.taught) == 2


@pytest.mark.parametrize(
    "nonsense",
    [
        {"value": 0},
        {"value": 10**9},
        {"kind": "engine"},
        {"kind": "chaos"},
        {"ports": (("S", 0.0),)},
        {"ports": (("S", 0.0), ("X", 0.0))},
        {"ports": (("S", 400.0), ("N", 0.0))},
        {"ports": (("S", float("nan")), ("N", 0.0))},
        {"ports": (("S", 0.0), ("S", 0.0))},
    ],
)
def test_what_no_card_can_be_is_not_taught(tmp_path: Path, nonsense: dict[str, Any]) -> None:
    desk = Desk(tmp_path)
    desk.show("track-3-left")
    say(desk, **nonsense)
    assert desk.taught == []
    assert desk.effects[0] == Sound("wrong")
    desk.press(Button.ROLL)
    assert desk.taught == [facts("track-3-left")]


def test_a_card_like_another_one_is_asked_about_with_both_pictures(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "track-1-left")
    desk.show("broken-1", facts("track-1-left"))
    say(
        desk,
        value=1,
        is_placed=False,
        ports=tuple((port.edge.value, port.offset_mm) for port in facts("track-1-left").ports),
    )
    assert told(desk)["step"] == "twin"
    assert desk.teaching.picture(str(told(desk)["other"])) is not None
    say(desk, value=1, kind="broken", is_placed=False)
    assert [card.kind for card in desk.taught] == [Kind.TRACK, Kind.BROKEN]


def test_the_page_shows_the_card_the_way_up_its_rails_are_told(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.show("track-3-left", replace(facts("track-3-left"), is_turned=True))
    shown = desk.teaching.picture("asked")
    assert shown is not None
    assert np.array_equal(shown, photographed(FACES["track-3-left"]).cut_out[::-1, ::-1])
    desk.press(Button.ROLL)
    assert desk.teaching.picture("asked") is None
    assert np.array_equal(desk.teaching.picture("1"), shown)
    for name in ("", "2", "../cards", "x" * 1000):
        assert desk.teaching.picture(name) is None


def test_rails_that_somebody_has_placed_stay_where_they_are_in_the_deck(tmp_path: Path) -> None:
    lesson = Lesson(tmp_path / "lesson")
    names = [name for name in FACES if name.startswith(("track-2", "track-3", "track-4"))]
    for index, name in enumerate(names):
        lesson.add(photographed(FACES[name], seed=index), facts(name))
    index = names.index("track-2-straight")
    ports = (Port(Edge.S, 9.0), Port(Edge.N, -7.5))
    lesson.change(index, replace(facts("track-2-straight"), ports=ports, is_placed=True))
    deck = make_deck(lesson, "own").deck
    assert [face.ports for face in deck.faces if face.value == 2 and face.ports == ports] == [ports]


def test_a_photograph_is_looked_at_as_if_its_card_lay_on_the_table(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    picture = cv2.imdecode(np.frombuffer(photographed(FACES["track-3-left"]).jpeg, np.uint8), cv2.IMREAD_COLOR)
    picture = cv2.resize(picture, None, fx=2, fy=2)
    assert desk.teaching.photograph(picture)
    assert not desk.teaching.photograph(picture)
    desk.eyes.look(np.zeros((480, 640, 3), np.uint8), (), None)
    desk.press()
    desk.teaching.handle(CardTold(-1, 1, "track", ()))
    assert told(desk)["asked"]["ports"]
    # While a card is asked about no other one is looked at.
    assert not desk.teaching.photograph(picture)


def test_a_photograph_that_was_taken_is_not_lost_to_a_card_on_the_table(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    picture = cv2.imdecode(np.frombuffer(photographed(FACES["track-3-left"]).jpeg, np.uint8), cv2.IMREAD_COLOR)
    # The camera has a card before it: its picture is being read while the photograph comes.
    assert desk.teaching.photograph(cv2.resize(picture, None, fx=2, fy=2))
    desk.show("track-1-right")
    desk.eyes.rest()  # as reading that card ends
    empty = np.zeros((480, 640, 3), np.uint8)
    desk.eyes.look(empty, (), None)
    desk.teaching.handle(CardTold(-1, 1, "track", ()))
    desk.press(Button.ROLL)
    assert desk.taught == [facts("track-1-right")]
    desk.eyes.look(empty, (), None)
    desk.teaching.handle(CardTold(-1, 1, "track", ()))
    assert told(desk)["asked"]["number"] is None


def test_a_photograph_without_a_card_is_said_to_be_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.teaching.photograph(np.full((480, 640, 3), 90, np.uint8))
    desk.eyes.look(np.zeros((480, 640, 3), np.uint8), (), None)
    desk.teaching.handle(CardTold(-1, 1, "track", ()))
    assert told(desk)["hint"] == "nothing"
