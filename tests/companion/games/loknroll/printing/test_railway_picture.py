"""The railway as a picture to keep, whatever is in its record."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from companion.games.drawing.png import size_mm
from companion.games.drawing.raster import rasterized
from companion.games.loknroll.game import GAME
from companion.games.loknroll.printing.railway_picture import MARGIN_MM, railway_svg
from companion.record.file import Recording, read_record, write_record
from tests.companion.games.test_recorded_games import RECORDS
from vision.cards import Edge, Face, Kind, Port, Pose

SVG = "{http://www.w3.org/2000/svg}"
FINISHED = RECORDS / "loknroll/played/loose_caboose-4-finished.jsonl"


def drawn(recording: Recording, moment: int | None = None) -> ET.Element:
    return ET.fromstring(GAME.picture(Path("x"), recording, moment))  # noqa: S314 - drawn here


def cards_in(picture: ET.Element) -> int:
    return len(picture.findall(f".//{SVG}use"))


def changed(folder: Path, change: Any) -> Recording:
    """A finished game, told differently."""
    recording = read_record(FINISHED)
    change(recording.header, recording.lines)
    write_record(folder / "changed.jsonl", recording.header, recording.lines)
    return read_record(folder / "changed.jsonl")


def test_every_moment_of_a_game_can_be_drawn() -> None:
    recording = read_record(FINISHED)
    moments = [dict(moment.facts.get("table", {})) for moment in GAME.told(FINISHED, recording, "en")]
    assert GAME.picture(FINISHED, recording, 0) == ""
    for number in (1, 5, 40, len(moments) - 2):
        assert cards_in(drawn(recording, number)) == len(moments[number]["cards"])
    end = GAME.picture(FINISHED, recording)
    assert (
        end
        == GAME.picture(FINISHED, recording, len(moments) - 1)
        == GAME.picture(FINISHED, recording, len(moments) - 2)
    )
    for beyond in (-1, len(moments)):
        with pytest.raises(IndexError):
            GAME.picture(FINISHED, recording, beyond)


def test_who_played_stands_in_it() -> None:
    title = drawn(read_record(FINISHED)).find(f"{SVG}title")
    assert title is not None
    assert "Zoë" in str(title.text)


HOSTILE = '"><script>alert(1)</script>\x00\x1b]0;&amp;&bad;]]>\u202e\ufffe'


def test_nothing_of_a_record_can_do_anything_in_a_picture(tmp_path: Path) -> None:
    def spoil(header: dict[str, Any], lines: list[dict[str, Any]]) -> None:
        names = {name: HOSTILE + str(number) for number, name in enumerate(header["players"])}
        header |= {"players": list(names.values()), "place": "<b onload='x'>&", "deck": spoilt(header["deck"])}
        for line in lines:
            line["player"] = names[line["player"]] if isinstance(line.get("player"), str) else line.get("player")
            for key in ("face", "faces"):
                if key in line:
                    line[key] = HOSTILE + line[key] if key == "face" else [HOSTILE + face for face in line[key]]
            line.get("then", {}).update(taken=[HOSTILE + face for face in line.get("then", {}).get("taken", [])])
            if "then" in line and not line["then"]["taken"]:
                del line["then"]["taken"]

    def spoilt(deck: dict[str, Any]) -> dict[str, Any]:
        faces = [{**face, "id": HOSTILE + face["id"], "shape": HOSTILE} for face in deck["faces"]]
        return {**deck, "name": HOSTILE, "assumed": HOSTILE, "faces": faces}

    recording = changed(tmp_path, spoil)
    picture = drawn(recording)
    tags = {element.tag.removeprefix(SVG) for element in picture.iter()}
    assert tags <= {"svg", "title", "defs", "g", "use", "rect", "circle", "ellipse", "path"}
    attributes = {name for element in picture.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on")]
    assert {use.attrib["href"][:6] for use in picture.iter(f"{SVG}use")} == {"#face-"}


def face(*ports: Port, kind: Kind = Kind.TRACK, size: tuple[float, float] = (63.0, 88.0)) -> Face:
    return Face("x", 2, kind, 1, ports, size_mm=size)


def test_cards_of_another_deck_are_drawn_with_their_rails_where_they_lie() -> None:
    across = face(Port(Edge.W, 10.0), Port(Edge.E, 10.0))
    svg = railway_svg([(across, Pose(1000.0, -500.0, 90.0))], None, "", is_our_deck=False)
    width, height = size_mm(svg)
    assert (width, height) == (88 + 2 * MARGIN_MM, 63 + 2 * MARGIN_MM)
    picture = rasterized(svg, 2.0).astype(int)
    x, y = round(2 * (width / 2 - 10)), round(2 * height / 2)
    # Between the rails is ballast, beside them paper, around the card the table.
    assert np.abs(picture[y, x] - (0xC3, 0xD0, 0xD9)).max() < 3
    assert np.abs(picture[y, round(width * 2 / 2 + 20)] - (0xEA, 0xF6, 0xFB)).max() < 3
    assert np.abs(picture[5, 5] - (0x76, 0x8F, 0x6F)).max() < 3


@pytest.mark.parametrize("size", [(10.0, 10.0), (500.0, 10.0), (63.0, 88.0)])
@pytest.mark.parametrize("kind", [Kind.TRACK, Kind.BROKEN])
def test_odd_cards_at_odd_places_are_drawn(size: tuple[float, float], kind: Kind) -> None:
    almost = size[0] / 2 - 1e-9
    odd = [
        (Port(Edge.N, almost), Port(Edge.N, -almost)),
        (Port(Edge.N, 1e-12), Port(Edge.N, 0.0)),
        (Port(Edge.N, almost), Port(Edge.E, -size[1] / 2 + 1e-9)),
        (Port(Edge.N, 0.0), Port(Edge.S, 1e-300)),
    ]
    places = [Pose(1e308, -1e308, 1e300), Pose(0.0, 0.0, -725.5), Pose(1e15, 3.0, 45.0)]
    for ports in odd:
        for place in places:
            laid = face(*ports, kind=kind, size=size)
            svg = railway_svg([(laid, place)], place, HOSTILE, is_our_deck=False)
            assert ET.fromstring(svg).attrib["viewBox"]  # noqa: S314 - drawn here
            assert not {"nan", "inf"} & set(svg.replace('"', " ").replace("(", " ").split())
