"""Before a game what lies there is put right on a page, or told on it where no camera is."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from companion.games.events import Kept, Leave, Pressed, Seen, Sound, Tick, Touched
from companion.games.locomotion.artwork.editor import TAKE, TURN
from companion.games.locomotion.artwork.rails import CELL_MM
from companion.games.locomotion.game import GAME
from companion.games.locomotion.play.offering import wish_of
from companion.games.locomotion.rules import PlacedPiece, load_piece
from companion.games.locomotion.settings import AS_IT_LIES, OWN, own
from companion.games.locomotion.table.looks import other_headings
from companion.texts.language import LANGUAGES
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of
from vision.watching.network_reading import Cell, NetworkReading, SeenPiece, SeenVehicle
from vision.watching.table_reading import TableReading


def touch(people: People, tool: str, start: Cell, to: Cell | None = None) -> None:
    x, y, to_x, to_y = (CELL_MM * (length + 0.4) for length in (*start, *(to or start)))
    people.happens(Touched(tool, x, y, to_x, to_y))


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[People]:
    """Two people without a camera."""
    people = People(tmp_path, "die", settings_of(camera=False, network=AS_IT_LIES))
    yield people
    people.play.close()


def tools_of(people: People) -> list[str]:
    return list(people.play.present().tools)


def test_without_a_camera_the_own_network_is_told_by_touches(blind: People) -> None:
    piece, _, _, *locomotives, red, yellow = tools_of(blind)
    for row in (0, 1, 2):
        touch(blind, piece, (3 * row, 0), (3 * row + 2, 0))
    assert blind.screen.keys[0] == ""
    for tool, dot in zip((*locomotives, red, red, yellow, yellow), (0, 8, 2, 3, 5, 6), strict=True):
        touch(blind, tool, (dot, 0))
    assert blind.screen.keys[0] != ""
    blind.press(Button.ROLL)
    state = blind.game_state
    assert [state.setup.network.dots[dot] for dot in state.stock.dots] == [(dot, 0) for dot in (0, 8, 2, 3, 5, 6)]
    assert blind.play.present().tools == ()


def test_a_network_that_was_told_outlives_a_power_cut_and_is_gone_once_the_game_begins(blind: People) -> None:
    piece, _, _, *locomotives, red, yellow = tools_of(blind)
    for row in (0, 1, 2):
        touch(blind, piece, (3 * row, 0), (3 * row + 2, 0))
    touch(blind, TURN, (4, 0))
    before = blind.play.facts()
    blind.restart()
    assert blind.play.facts() == before
    for tool, dot in zip((*locomotives, red, red, yellow, yellow), (0, 8, 2, 3, 5, 6), strict=True):
        touch(blind, tool, (dot, 0))
    before, shown = blind.play.facts(), blind.screen
    blind.restart()
    assert (blind.play.facts(), blind.screen) == (before, shown)
    draft = blind.keep.record.with_suffix(".draft.json")
    assert draft.exists()
    blind.press(Button.ROLL)
    assert blind.play.is_set_up
    assert not draft.exists()


def test_what_was_put_right_before_a_power_cut_counts_as_long_as_the_eye_reads_the_same(tmp_path: Path) -> None:
    people = People(tmp_path, "die", settings_of(network=AS_IT_LIES))
    guessed = NetworkReading(tuple(SeenPiece((3 * row, 0), "E", is_sure=False) for row in range(3)))
    looks(people, guessed)
    touch(people, TURN, (0, 0))
    people.comes_back()
    looks(people, guessed)
    assert sorted(card["turn"] for card in people.play.facts()["cards"]) == [0, 0, 180]
    assert sum("marked" in card for card in people.play.facts()["cards"]) == 2
    people.comes_back()
    looks(people, NetworkReading((SeenPiece((0, 0), "S"), *guessed.pieces[1:])))
    assert sorted(card["turn"] for card in people.play.facts()["cards"]) == [0, 0, 90]
    people.play.close()


@pytest.mark.parametrize("told", ['{"piece": 3}', '{"start": {}}', "[]"])
def test_a_draft_that_cannot_be_read_is_begun_anew(blind: People, told: str) -> None:
    suggested = blind.play.facts()
    draft = f'{{"game": "locomotion", "kind": "die", "id": "1", "told": {told}}}'
    blind.keep.record.with_suffix(".draft.json").write_text(draft)
    blind.restart()
    assert blind.play.facts() == suggested


def test_a_touch_that_nothing_can_come_of_is_heard(blind: People) -> None:
    for tool in (TURN, TAKE, tools_of(blind)[-1], "unknown"):
        blind.heard.clear()
        touch(blind, tool, (5, 5))
        assert Sound("wrong") in blind.heard


def test_another_suggestion_takes_the_place_of_what_was_told(blind: People) -> None:
    suggested = blind.play.facts()["cards"]
    touch(blind, tools_of(blind)[0], (0, 0), (2, 0))
    assert len(blind.play.facts()["cards"]) == 1
    blind.press(Button.DOWN)
    People.recorded(blind.play)  # once it has been drawn
    assert blind.play.facts()["cards"] != suggested
    assert blind.play.facts()["figures"]


def test_what_the_eye_misreads_is_put_right_and_the_game_begins(tmp_path: Path) -> None:
    people = People(tmp_path, "die", settings_of(network=AS_IT_LIES))
    model = People(tmp_path, "die", settings_of())
    preparation = model.play.controller.desk.preparation
    assert preparation is not None
    people.state = preparation.suggestion
    reading = people.reading().network
    assert reading is not None
    unsure, *pieces = reading.pieces
    locomotive, *vehicles = reading.vehicles
    misread = SeenVehicle(locomotive.dot, 4, is_locomotive=False)
    pieces = [replace(unsure, is_sure=False), *pieces]
    network = replace(reading, pieces=tuple(pieces), vehicles=(misread, *vehicles))
    for _ in range(3):
        people.now += 1.0
        people.happens(Tick(people.now))
        people.happens(Seen(TableReading(network=network)))
    assert sum("marked" in card for card in people.play.facts()["cards"]) == 1
    touch(people, TURN, unsure.cell)
    touch(people, TURN, unsure.cell)
    touch(people, f"locomotive-{locomotive.colour}", locomotive.dot)
    assert not any("marked" in card for card in people.play.facts()["cards"])
    assert people.screen.keys[0] != ""
    model.play.close()
    people.play.close()


def test_a_page_is_told_how_everything_looks_and_what_it_is_called(blind: People) -> None:
    play = blind.play
    facts = play.facts()
    names = {*tools_of(blind), facts["cards"][0]["face"], *(figure["name"] for figure in facts["figures"])}
    for name in names:
        root = ET.fromstring(play.drawing(name))  # noqa: S314 - our own drawing
        assert root.get("viewBox")
    assert play.drawing("no-such") == ""
    for language in LANGUAGES:
        called = play.called(language)
        assert {tool for tool in tools_of(blind) if not called.get(tool)} == set()
    touch(blind, tools_of(blind)[0], (0, 0), (2, 0))
    (card,) = play.facts()["cards"]
    assert (card["x"], card["y"], card["turn"]) == (1.5 * CELL_MM, 0.5 * CELL_MM, 0)
    assert play.drawing(card["face"])


def test_each_vehicle_of_a_suggestion_can_be_looked_at(blind: People) -> None:
    blind.press(Button.UP)
    blind.press(Button.ROLL)
    whole = blind.screen
    assert whole.map is not None
    seen = []
    for _ in range(6):
        blind.press(Button.DOWN)
        seen.append(blind.screen.lines[0])
    assert seen == ["Red locomotive", "Yellow locomotive", "Red wagon", "Red wagon", "Yellow wagon", "Yellow wagon"]
    blind.press(Button.DOWN)
    assert blind.screen == whole
    blind.press(Button.UP)
    assert blind.screen.lines == ("Yellow wagon",)
    blind.press(Button.BACK)
    assert blind.screen.map is not None
    assert blind.screen.keys[0] != ""


@pytest.fixture
def describing(tmp_path: Path) -> Iterator[People]:
    """People who play with pieces of their own, which nobody knows yet."""
    people = People(tmp_path, "die", settings_of(network=AS_IT_LIES, piece=OWN))
    yield people
    people.play.close()


def test_the_own_piece_is_told_by_its_tracks_and_kept(describing: People) -> None:
    assert describing.screen.keys[0] == ""
    touch(describing, "track-ew", (5, 2), (7, 2))
    touch(describing, "track-sw", (6, 2))
    assert describing.screen.keys[0] != ""
    assert len(describing.play.facts()["cards"]) == 4
    for card in describing.play.facts()["cards"]:
        assert describing.play.drawing(card["face"])
    describing.press(Button.ROLL)
    assert Leave("new-game") in describing.heard
    kept = next(effect.settings for effect in describing.heard if isinstance(effect, Kept))
    piece, shipped = own(kept).shape, load_piece("T")
    assert (piece.cells, piece.long_sides) == (shipped.cells, shipped.long_sides)
    assert {(track.cell, track.passage) for track in piece.passages} == {
        (track.cell, track.passage) for track in shipped.passages
    }
    # The next game is set up with it at once; it can be told anew.
    assert wish_of("die", kept).piece == piece
    titles = [option.title for option in GAME.options(kept, None)]
    assert "Piece of rail: your own" in titles
    anew = next(option.settings for option in GAME.options(kept, None) if "again" in option.title)
    assert own(anew).own_piece is None


def test_the_tracks_of_an_own_piece_outlive_a_power_cut(describing: People) -> None:
    touch(describing, "track-ew", (5, 2), (7, 2))
    touch(describing, "track-sw", (6, 2))
    before = describing.play.facts()
    describing.restart()
    assert describing.play.facts() == before
    assert describing.screen.keys[0] != ""


def test_tracks_are_taken_away_again_and_what_is_no_piece_is_refused(describing: People) -> None:
    touch(describing, "track-sn", (0, 0))
    touch(describing, "track-sn", (0, 0))
    assert describing.play.facts()["cards"] == []
    describing.heard.clear()
    describing.press(Button.ROLL)
    assert Sound("wrong") in describing.heard
    touch(describing, "track-ew", (0, 0), (1, 0))
    touch(describing, TAKE, (0, 0))
    assert len(describing.play.facts()["cards"]) == 1
    # Tracks that lead nowhere but to one another.
    touch(describing, TAKE, (1, 0))
    for cell, way in (((0, 0), "ES"), ((1, 0), "SW"), ((0, 1), "EN"), ((1, 1), "WN")):
        touch(describing, f"track-{way}", cell)
    assert describing.screen.keys[0] == ""
    assert not describing.keep.record.exists()


def test_a_piece_has_no_more_cells_than_a_piece_may(describing: People) -> None:
    touch(describing, "track-ew", (0, 0), (400, 0))
    assert describing.play.facts()["cards"] == []
    touch(describing, "track-ew", (0, 0), (9, 0))
    touch(describing, "track-ew", (0, 1), (9, 1))
    assert len(describing.play.facts()["cards"]) == 10


def test_beside_a_suggestion_a_piece_that_is_misread_is_marked_and_put_right(tmp_path: Path) -> None:
    people = People(tmp_path, "die", settings_of(), seed=5)
    preparation = people.play.controller.desk.preparation
    assert preparation is not None
    # As long as it shows what is to be laid there is nothing to put right.
    assert tools_of(people) == []
    people.state = preparation.suggestion
    reading = people.reading().network
    assert reading is not None
    piece, right = preparation.wish.piece, reading.pieces[1]
    (wrong,) = other_headings(piece, PlacedPiece(right.cell, right.heading))
    misread = replace(right, cell=wrong.cell, heading=wrong.heading)
    pieces = (reading.pieces[0], misread, *reading.pieces[2:])
    for _ in range(3):
        people.now += 1.0
        people.happens(Tick(people.now))
        people.happens(Seen(TableReading(network=replace(reading, pieces=pieces))))
    (marked,) = [card for card in people.play.facts()["cards"] if "marked" in card]
    cell = round(marked["x"] / CELL_MM - 0.5), round(marked["y"] / CELL_MM - 0.5)
    assert people.screen.keys[0] == ""
    touch(people, TURN, cell)
    assert not any("marked" in card for card in people.play.facts()["cards"])
    people.press(Button.ROLL)
    assert people.play.is_set_up
    people.play.close()


def looks(people: People, network: NetworkReading) -> None:
    for _ in range(3):
        people.now += 1.0
        people.happens(Tick(people.now))
        people.happens(Seen(TableReading(network=network)))


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[People]:
    """Two people who lay the network as they like."""
    people = People(tmp_path, "die", settings_of(network=AS_IT_LIES))
    yield people
    people.play.close()


def test_one_press_says_that_pieces_lie_as_they_were_guessed(seen: People) -> None:
    guessed = NetworkReading(tuple(SeenPiece((3 * row, 0), "E", is_sure=False) for row in range(3)))
    looks(seen, guessed)
    assert sum("marked" in card for card in seen.play.facts()["cards"]) == 3
    assert seen.screen.map is not None
    # One of them lies otherwise, and another one is right.
    touch(seen, TURN, (0, 0))
    touch(seen, tools_of(seen)[0], (4, 0))
    assert sum("marked" in card for card in seen.play.facts()["cards"]) == 1
    seen.now += 1.0
    seen.happens(Pressed(Button.ROLL))
    looks(seen, guessed)
    cards = seen.play.facts()["cards"]
    assert not any("marked" in card for card in cards)
    assert sorted(card["turn"] for card in cards) == [0, 0, 180]
    # Now vehicles are missing, and ROLL begins nothing.
    assert seen.screen.keys[0] == ""
    assert seen.screen.main == "Red locomotive: missing."
    assert seen.screen.lines == ("Put it on any free dot.",)


def test_pieces_that_may_not_lie_so_are_marked(seen: People) -> None:
    looks(seen, NetworkReading((SeenPiece((0, 0), "E"), SeenPiece((3, 0), "E"), SeenPiece((9, 4), "S"))))
    marked = [(card["x"], card["y"]) for card in seen.play.facts()["cards"] if "marked" in card]
    assert marked == [(9.5 * CELL_MM, 5.5 * CELL_MM)]
    assert seen.screen.map is not None
    assert len(seen.screen.map.marked) == 3


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ((SeenPiece((0, 0), "E"), SeenPiece((1, 0), "E")), "Two pieces lie on top of each other"),
        ((SeenPiece((0, 0), "E"), SeenPiece((2, 1), "W")), "Two pieces are joined along their long sides"),
    ],
    ids=["overlap", "parallel"],
)
def test_two_pieces_that_may_not_lie_so_are_marked_and_not_numbered(
    seen: People, pieces: tuple[SeenPiece, ...], said: str
) -> None:
    looks(seen, NetworkReading(pieces))
    assert (seen.screen.main, seen.screen.lines) == (said, ("Lay one of the marked ones elsewhere.",))
    assert sum("marked" in card for card in seen.play.facts()["cards"]) == 2


def test_of_two_parts_the_smaller_one_is_marked_and_no_number_of_a_piece_is_told(seen: People) -> None:
    row = [SeenPiece((3 * number, 0), "E") for number in range(3)]
    looks(seen, NetworkReading((*row, SeenPiece((9, 4), "S"), SeenPiece((9, 7), "S"))))
    assert seen.screen.map is not None
    assert len(seen.screen.map.marked) == 6
    told = " ".join((seen.screen.main, *seen.screen.lines))
    assert "marked part" in told
    assert not any(character.isdigit() for character in told)


def test_a_network_that_was_taken_away_is_not_shown_any_more(seen: People) -> None:
    looks(seen, NetworkReading((SeenPiece((0, 0), "E"),)))
    assert len(seen.play.facts()["cards"]) == 1
    for _ in range(3):
        seen.now += 1.0
        seen.happens(Tick(seen.now))
        seen.happens(Seen(TableReading(network=None)))
    assert seen.play.facts()["cards"] == []


def test_the_eye_is_told_what_is_to_be_set_up(tmp_path: Path, seen: People) -> None:
    assert seen.play.expected_faces == {"paints"}
    people = People(tmp_path / "other", "die", settings_of())
    before = set(people.play.expected_faces)
    assert len(before) == 5 + 4 + 1
    people.set_up()
    assert set(people.play.expected_faces) == before
    people.play.close()
