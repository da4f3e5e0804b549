"""Draws the pictures of the owner's guide: make pictures."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np
import pypdfium2
from PIL import Image

from companion.commands.gallery import sheet_of
from companion.device.between_games.lobby import Lobby
from companion.device.gallery import all_screens
from companion.doctor.focusing import Sharpness, show_on
from companion.doctor.trying import frame
from companion.games.drawing.paper import PAPERS
from companion.games.loknroll.artwork.drawn_deck import drawn_deck
from companion.games.loknroll.printing.book import print_deck
from companion.games.loknroll.rules import load_edition
from companion.games.registry import games
from companion.games.settings import Settings
from companion.screen import draw
from companion.screen.screen import Screen
from companion.texts.language import Texts
from companion.wiring.page import WiringPage
from companion.wiring.sheet import FAINT, INK, Sheet, rendered
from hardware.display import VirtualDisplay
from hardware.settings import load_settings
from vision.arrays import Picture
from vision.cards import CARD_MM, Pose
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.rendering import Emma, LyingCard, Renderer, Scene
from vision.rendering.camera import camera_above
from vision.rendering.scene import Light, Sensor, Tabletop
from vision.report.joints import railway_order
from vision.report.overlay import overlay
from vision.teaching.lone_card import find_lone_card
from vision.teaching.taught_faces import cut_out

SIZE: Final = (1640, 1232)
SMALL: Final = (820, 616)
TABLE: Final = (800.0, 600.0)
QUALITY: Final = [cv2.IMWRITE_JPEG_QUALITY, 60]
EVENING: Final = ("lobby-loknroll-betsy", "setup-first", "ready-betsy", "laid", "dice-moves", "betsy-draws",
                  "result-betsy", "lobby-loknroll-off")  # fmt: skip
LESSON: Final = ("lobby-loknroll-teach", "teaching-first", "teaching-offered", "teaching-value", "teaching-twin-1",
                 "teaching-learning", "teaching-counting", "teaching-finished")  # fmt: skip


def main() -> None:
    """Draws them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawn in PICTURES.items():
        (folder / name).write_bytes(drawn())


def parts() -> bytes:
    """What is bought, counted as the list of the page about wiring does."""
    page = WiringPage(load_settings(), TABLE, CARD_MM[0], Texts("en"))
    lines = list(page.parts())
    sheet = Sheet(1000, 70 + 44 * len(lines))
    for row, line in enumerate(lines):
        count, _, words = line.partition(" × ")
        y = 60 + 44 * row
        sheet.circle(58, y - 6, 17, fill=INK)
        sheet.text(58, y, count, size=15, fill="#fff", anchor="middle", bold=True)
        sheet.text(96, y, words, size=17)
    return rendered(sheet.svg())


def card_writer() -> bytes:
    """What is set while the SD card is written."""
    rows = (
        ("Device", "your Raspberry Pi"),
        ("Operating system", "Raspberry Pi OS Lite (64-bit)"),
        ("Storage", "the SD card"),
        ("Hostname", "companion"),
        ("Username, password", "yours"),
        ("Wi-Fi", "its name and password"),
        ("SSH", "switched on, with the password"),
    )
    sheet = Sheet(760, 60 + 46 * len(rows))
    for row, (name, value) in enumerate(rows):
        y = 56 + 46 * row
        sheet.text(40, y, name, size=17, fill=FAINT)
        sheet.rectangle(280, y - 25, 440, 36, stroke=FAINT, radius=6, line=1.5)
        sheet.text(296, y, value, size=17, bold=True)
    return rendered(sheet.svg())


def wiring() -> bytes:
    """The wires."""
    return _drawings()[0].svg().encode()


def mounting() -> bytes:
    """The camera above the table."""
    return _drawings()[1].svg().encode()


def _drawings() -> Sequence[Sheet]:
    return WiringPage(load_settings(), TABLE, CARD_MM[0], Texts("en")).drawings()


def installed() -> bytes:
    """What stands on the screen as soon as the program runs."""
    return _png(sheet_of([("", draw(Lobby(Settings(language="en"), games(), can_teach=True).screen()))], 1))


def tried() -> bytes:
    """What the doctor shows on the screen: while it tries the screen, and while the lens is turned."""
    display = VirtualDisplay()
    show_on(display, Sharpness(62, 71), lambda seen: f"best so far: {seen.best}")
    assert display.image is not None
    return _png(sheet_of([("doctor --try", frame()), ("doctor --focus", display.image)], 2))


def evening() -> bytes:
    """From the list of games to switching off."""
    return _numbered(EVENING)


def lesson() -> bytes:
    """From the list of games to a deck that is taught."""
    return _numbered(LESSON)


def _numbered(names: Sequence[str]) -> bytes:
    return _png(sheet_of([(f"{number}", draw(_screens()[name])) for number, name in enumerate(names, 1)], 4))


@cache
def _screens() -> dict[str, Screen]:
    return dict(all_screens("en", games()))


def faces() -> bytes:
    """Every face of the deck, with its name and count in deck.json."""
    deck = _deck()
    wide, high, columns = 150, 216, 8
    sheet = np.full((high * (len(deck.faces) // columns), wide * columns, 3), 255, np.uint8)
    for index, face in enumerate(deck.deck.faces):
        top, left = index // columns * high, index % columns * wide
        picture = cv2.resize(deck.faces[face.id], (126, 176), interpolation=cv2.INTER_AREA)
        sheet[top + 6 : top + 6 + picture.shape[0], left + 12 : left + 12 + picture.shape[1]] = picture
        told = f"{face.count} {face.id}"
        cv2.putText(sheet, told, (left + 4, top + 204), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
    return _jpeg(sheet)


def photograph() -> bytes:
    """A card that lies alone."""
    return _jpeg(np.asarray(cv2.resize(_alone("track-2-left"), SMALL, interpolation=cv2.INTER_AREA), np.uint8))


def taught() -> bytes:
    """Faces that are learnt from such photographs."""
    sheet = np.full((300, 660, 3), 255, np.uint8)
    for column, face in enumerate(("track-2-left", "broken-4", "chaos-1")):
        picture = _alone(face)
        learnt = cut_out(picture, find_lone_card(picture), CARD_MM)
        left = 30 + 210 * column
        sheet[20:271, left : left + 180] = cv2.resize(learnt, (180, 251))
        cv2.putText(sheet, face, (left + 4, 291), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    return _jpeg(sheet)


def _alone(face: str) -> Picture:
    return _taken(_deck(), Scene((LyingCard(face, Pose(430, 290, 6), 0),)))


def seen() -> bytes:
    """What the eye reads on a table."""
    deck = _deck()
    laid = ("track-2-straight", "track-1-straight", "track-2-straight", "track-3-straight")
    cards = [LyingCard(face, Pose(300 + 88.5 * row, 280, 90), row) for row, face in enumerate(laid)]
    shown = LyingCard("chaos-1", Pose(690, 480, 3), 9)
    scene = Scene((*cards, shown), Emma(Pose(477, 280, 90), 2, 2))
    picture = _taken(deck, scene)
    read = Reader(deck.deck, deck.faces, deck.back).read(picture)
    emma = EmmaFinder(deck.faces, deck.deck.card_mm).find(picture, read)
    railway = railway_order(read, deck.deck, None if emma is None else emma.card)
    drawn = overlay(picture, read, railway, emma)
    return _jpeg(drawn[430:1130, 460:1560])


@cache
def _deck() -> DeckPictures:
    return drawn_deck("standard-55", px_per_mm=6)


def _taken(deck: DeckPictures, scene: Scene) -> Picture:
    camera = camera_above((400, 300), 660, SIZE, field_of_view_deg=62.2)
    renderer = Renderer(camera, Tabletop(), deck.faces, deck.back, deck.deck.card_mm)
    return renderer.photograph(scene, Light(), Sensor(), 1).picture


def printed() -> bytes:
    """A sheet of a printed deck with the cards of rules on it."""
    deck = _deck().deck
    few = tuple(msgspec.structs.replace(deck.faces[index], count=1) for index in (0, 6, 11, 17, 23))
    pages = pypdfium2.PdfDocument(
        print_deck(msgspec.structs.replace(deck, faces=few), load_edition(), PAPERS["a4"], "en")
    )
    sheets = [np.asarray(pages[index].render(scale=0.9).to_numpy()[:, :, :3]) for index in (2, 0)]
    return _jpeg(np.hstack([np.pad(sheet, ((6, 6), (6, 6), (0, 0)), constant_values=190) for sheet in sheets]))


def _jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, QUALITY)[1].tobytes()


def _png(image: Image.Image) -> bytes:
    packed = BytesIO()
    image.save(packed, "PNG", optimize=True)
    return packed.getvalue()


PICTURES: Final[dict[str, Callable[[], bytes]]] = {
    "parts.png": parts,
    "sd-card.png": card_writer,
    "wiring.svg": wiring,
    "mounting.svg": mounting,
    "installed.png": installed,
    "tried.png": tried,
    "faces.jpg": faces,
    "photograph.jpg": photograph,
    "taught.jpg": taught,
    "seen.jpg": seen,
    "evening.png": evening,
    "lesson.png": lesson,
    "printed.jpg": printed,
}
"""What draws each picture of docs/pictures."""


if __name__ == "__main__":
    main()
