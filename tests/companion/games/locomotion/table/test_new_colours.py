"""People have vehicles of other colours than the printed ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.events import Kept, Seen
from companion.games.locomotion.game import GAME
from companion.games.locomotion.rules import State, load_piece
from companion.games.locomotion.settings import own
from companion.games.locomotion.table.new_colours import about_colours
from companion.games.locomotion.wording import Kind, Wording
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of
from vision.watching.network_reading import NetworkReading, SeenPaint, SeenVehicle
from vision.watching.table_reading import TableReading

VIOLET, WHITE = (130, 50, 160), (245, 245, 240)
RED, BLUE = (200, 30, 30), (40, 60, 180)
PAINTS = (VIOLET, WHITE)


class OtherPaints(People):
    """Their vehicles are violet and white; the eye knows them once it is told."""

    paints = PAINTS

    def reading(self) -> TableReading:
        reading = super().reading()
        network = reading.network
        if network is None or {f"colour 1 {' '.join(map(str, VIOLET))}"} <= set(self.play.expected_faces):
            return reading
        seen = tuple(SeenPaint(each.dot, self.paints[each.colour - 1], is_known=False) for each in network.vehicles)
        return replace(reading, network=replace(network, vehicles=(), paints=seen))

    def leaves(self) -> None:
        self.play.close()

    @property
    def wanted(self) -> State:
        preparation = self.play.controller.desk.preparation
        assert preparation is not None
        assert preparation.wanted is not None
        return preparation.wanted


Sit = Callable[..., OtherPaints]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """People who play, with these settings."""
    with ExitStack() as left:

        def sat(**more: Any) -> OtherPaints:
            folder = tmp_path / str(len(list(tmp_path.iterdir())))
            folder.mkdir()
            people = OtherPaints(folder, "die", settings_of(**more))
            left.callback(people.leaves)
            return people

        yield sat


def kept(people: People) -> list[Kept]:
    return [effect for effect in people.heard if isinstance(effect, Kept)]


def test_they_are_learnt_with_one_press_and_known_from_then_on(sit: Sit) -> None:
    people = sit()
    people.puts(people.wanted)
    assert people.screen.main == "New colours?"
    people.press(Button.ROLL)
    assert own(kept(people)[-1].settings).paints == PAINTS
    assert people.screen.main == "Ready to begin"
    people.press(Button.ROLL)
    assert people.play.is_set_up
    told = {f"colour {number} {r} {g} {b}" for number, (r, g, b) in enumerate(PAINTS, 1)}
    assert told <= set(people.play.expected_faces)
    # The record says so, whatever was set since.
    people.settings = settings_of()
    people.restart()
    assert told <= set(people.play.expected_faces)
    assert people.play.called("en")["wagon-1-8232a0"] == "Violet wagon"
    assert 'fill="#8232a0"' in people.play.drawing("wagon-1-8232a0")
    assert {"wagon-1-8232a0"} <= {figure["name"] for figure in people.play.facts()["figures"]}
    again = sit(paints=own(kept(people)[-1].settings).paints)
    again.puts(again.wanted)
    assert again.screen.main == "Ready to begin"


def test_who_lays_as_they_like_is_shown_where_to_put_them(sit: Sit) -> None:
    suggested = sit().wanted
    people = sit(network="as-it-lies")
    people.puts(suggested)
    assert people.screen.main == "Other colours?"
    people.press(Button.ROLL)
    assert people.screen.lines == ("Put all on the dots shown.",)
    assert people.wanted.setup.network.pieces != ()
    people.turned, people.shift = type(people.turned)(0), (0, 0)
    people.puts(people.wanted)
    assert people.screen.main == "New colours?"
    people.press(Button.ROLL)
    people.press(Button.ROLL)
    assert people.play.is_set_up


def test_what_does_not_fit_is_told(sit: Sit) -> None:
    people = sit()
    people.paints = (VIOLET, (132, 52, 158))
    people.puts(people.wanted)
    assert people.screen.main == "1 and 2 look alike."
    assert not kept(people)
    people.press(Button.ROLL)
    assert not kept(people)


def test_two_wagons_of_the_printed_game_that_are_changed_make_no_other_colours() -> None:
    wanted = {(0, 0): Kind(1, is_locomotive=False), (1, 0): Kind(2, is_locomotive=False)}
    seen = NetworkReading(
        vehicles=(SeenVehicle((0, 0), 2, is_locomotive=False), SeenVehicle((1, 0), 1, is_locomotive=False)),
        paints=(SeenPaint((0, 0), BLUE), SeenPaint((1, 0), RED)),
    )
    assert about_colours(seen, list(wanted.values()), wanted) is None
    # Of two that nobody knows it is sure that they are others.
    strange = replace(seen, vehicles=(), paints=tuple(replace(each, is_known=False) for each in seen.paints))
    told = about_colours(strange, list(wanted.values()), wanted)
    assert told is not None
    assert told.details["paints"] == (BLUE, RED)
    assert about_colours(seen, list(wanted.values())) is None


def test_they_are_forgotten_with_one_press() -> None:
    settings = settings_of(paints=PAINTS)
    (line,) = (option for option in GAME.options(settings, None) if "Forget" in option.title)
    assert line.title == "Forget your own colours: violet, white"
    assert own(line.settings).paints == ()


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_each_colour_has_a_name_of_its_own(language: str) -> None:
    say = Wording(language, ((20, 100, 40), (40, 140, 60), None, (60, 150, 70)))
    assert len({say.colour(number) for number in range(1, 5)}) == 4
    assert Wording(language).kind(Kind(1, is_locomotive=True)) == Wording(language, (RED,)).kind(
        Kind(1, is_locomotive=True)
    )


def test_once_the_own_piece_was_seen_as_people_say_it_lies_its_print_is_kept(sit: Sit) -> None:
    piece = replace(load_piece("T"), name="own")
    people = sit(network="by-lot", pieces=8, piece="own", own_piece=piece)
    assert "print" not in people.play.expected_faces
    people.set_up()
    people.press(Button.ROLL)
    assert "print" in people.play.expected_faces
    network = people.reading().network
    assert network is not None
    people.happens(Seen(TableReading(network=replace(network, own_print="iVBO"))))
    settings = kept(people)[-1].settings
    assert own(settings).own_print == "iVBO"
    assert {"print iVBO"} == {told for told in people.play.expected_faces if told.startswith("print")}
    # Another piece has another print.
    (anew,) = (option for option in GAME.options(settings, None) if "again" in option.title)
    assert own(anew.settings).own_print == ""
