"""The PDF, rendered and measured."""

import ctypes
from collections import Counter
from functools import cache
from itertools import cycle, pairwise, product
from typing import Final, NamedTuple

import cv2
import msgspec
import numpy as np
import pypdfium2
import pytest
import segno
from pypdfium2 import raw as pdfium

from companion.games.drawing.canvas import Canvas
from companion.games.drawing.grid import CardTooLarge, grid_on
from companion.games.drawing.paper import PAPERS
from companion.games.drawing.raster import rasterized
from companion.games.drawing.sheets import card_sheet
from companion.games.loknroll.artwork.back import back_svg
from companion.games.loknroll.artwork.card import face_svg
from companion.games.loknroll.printing.book import print_deck
from companion.games.loknroll.printing.rule_cards import rule_cards
from companion.games.loknroll.rules import edition_names, load_edition
from companion.texts.language import LANGUAGES, Texts
from vision.cards import CARD_MM, Deck, DeckError, Face, Kind, standard_deck

PX = 4.0
"""Pixels a mm of the rendered pages."""
STANDARD = standard_deck("standard-55")
SMALL = Deck(
    "small",
    tuple(
        msgspec.structs.replace(STANDARD[face_id], count=count)
        for face_id, count in {"track-1-left": 5, "track-4-straight": 3, "broken-2": 2, "chaos-3": 1}.items()
    ),
)
"""Eleven cards: one sheet, and two cards on a second, which the rules fill up."""
FIRST: Final = 2
"""The first page with cards, behind the cut-outs and their empty back."""
RULES: Final = 4
"""Cards of rules in English."""


def texts(language: str) -> Texts:
    return Texts(language, "companion.games.loknroll.printing")


class Place(NamedTuple):
    """A card's top left corner on a page, in mm."""

    x: float
    y: float


@cache
def pdf(paper: str = "a4") -> bytes:
    return print_deck(SMALL, load_edition(), PAPERS[paper], "en")


def opened(data: bytes) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(data)


@cache
def page(data: bytes, index: int, px: float = PX) -> np.ndarray:
    """A page, brought to exactly so many pixels a mm: the renderer rounds its size up to whole pixels."""
    document = opened(data)
    sheet = document[index % len(document)]
    image = np.asarray(sheet.render(scale=px * 25.4 / 72).to_numpy()[:, :, :3])
    width, height = (side * px * 25.4 / 72 for side in sheet.get_size())
    across, down = width / image.shape[1], height / image.shape[0]
    squeezed = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2]])
    return cv2.warpAffine(image, squeezed, (int(width), int(height)), borderMode=cv2.BORDER_REPLICATE)


def places(image: np.ndarray, svg: str) -> list[Place]:
    """Where a picture lies on a page, to a few hundredths of a mm."""
    template = cv2.cvtColor(rasterized(svg, PX), cv2.COLOR_BGR2GRAY)
    alike = cv2.matchTemplate(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), template, cv2.TM_CCOEFF_NORMED)
    found = []
    while True:
        _, best, _, (x, y) = cv2.minMaxLoc(alike)
        if best < 0.9:
            return sorted(found, key=lambda place: (round(place.y), place.x))
        found.append(Place(peak(alike[y, :], x) / PX, peak(alike[:, x], y) / PX))
        alike[max(0, y - 40) : y + 40, max(0, x - 40) : x + 40] = 0


def peak(line: np.ndarray, best: int) -> float:
    """The top of the parabola through the best value and its neighbours."""
    if not 0 < best < len(line) - 1:
        return float(best)
    before, here, after = map(float, line[best - 1 : best + 2])
    return best + (before - after) / (2 * (before - 2 * here + after))


@pytest.mark.parametrize(
    ("paper", "size"), [("a4", (210, 297)), pytest.param("letter", (215.9, 279.4), marks=pytest.mark.further)]
)
def test_pages_have_the_size_of_the_paper(paper: str, size: tuple[float, float]) -> None:
    for sheet in opened(pdf(paper)):
        assert [side * 25.4 / 72 for side in sheet.get_size()] == pytest.approx(size, abs=0.05)


@pytest.mark.parametrize("size", [(63.2, 88.2), pytest.param((60, 90), marks=pytest.mark.further)])
def test_a_card_is_as_large_as_it_is(size: tuple[float, float]) -> None:
    """Measured on the chaos card, whose border is dark to the very edge, at 20 pixels a mm; the rules lie elsewhere."""
    chaos = msgspec.structs.replace(STANDARD["chaos-2"], count=1, size_mm=size)
    image = page(print_deck(Deck("one", (chaos,), size), load_edition(), PAPERS["a4"], "en"), FIRST, 20)
    inked = (image.min(axis=2) < 200).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(inked)
    left, top, width, height, _ = max(stats[1:], key=lambda part: part[cv2.CC_STAT_AREA])
    assert (width / 20, height / 20) == pytest.approx(size, abs=0.1)
    assert (left / 20, top / 20) == pytest.approx(((210 - 3 * size[0]) / 2, (297 - 3 * size[1]) / 2), abs=0.1)


@pytest.mark.parametrize("paper", list(PAPERS))
def test_cards_lie_edge_to_edge_in_the_middle_of_the_page(paper: str) -> None:
    found = sorted(place for face in SMALL.faces for place in places(page(pdf(paper), FIRST), face_svg(face)))
    width, height = PAPERS[paper].width, PAPERS[paper].height
    lefts, tops = (sorted({round(place[axis] / 5) * 5: place[axis] for place in found}.values()) for axis in (0, 1))
    assert len(found) == 9
    assert [b - a for a, b in pairwise(lefts)] == pytest.approx([63, 63], abs=0.1)
    assert [b - a for a, b in pairwise(tops)] == pytest.approx([88, 88], abs=0.1)
    assert lefts[0] == pytest.approx(width - lefts[-1] - 63, abs=0.1)
    assert tops[0] == pytest.approx(height - tops[-1] - 88, abs=0.1)


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("sheet", [0, 1])
def test_backs_fall_on_fronts_when_turned_over_the_long_edge(paper: str, sheet: int) -> None:
    """Also on the last sheet, which is not full."""
    fronts = [place for face in SMALL.faces for place in places(page(pdf(paper), FIRST + 2 * sheet), face_svg(face))]
    width = PAPERS[paper].width
    backs = [Place(width - x - 63, y) for x, y in places(page(pdf(paper), FIRST + 2 * sheet + 1), back_svg((63, 88)))]
    assert len(fronts) == len(backs) == (9, 2)[sheet]
    for front in fronts:
        nearest = min(backs, key=lambda back: abs(back.x - front.x) + abs(back.y - front.y))
        assert nearest == pytest.approx(front, abs=0.1)


def test_backs_bleed_over_their_edges_and_no_further() -> None:
    right = 210 - 10.5
    image = page(pdf(), FIRST + 3).astype(int)
    y = round((16.5 + 44) * PX)
    for distance, inked in ((1.0, True), (2.0, False)):
        assert (image[y, round((right + distance) * PX)].max() < 120) == inked
        assert (image[round((16.5 - distance) * PX), round((right - 30) * PX)].max() < 120) == inked


def middles_of_marks(line: np.ndarray) -> list[float]:
    """Where dark marks cross a line of pixels, in mm at 20 pixels a mm."""
    edges = np.flatnonzero(np.diff((line[:, 0] < 128).astype(int)))
    return [float(start + end + 2) / 2 / 20 for start, end in zip(edges[::2], edges[1::2], strict=True)]


@pytest.mark.parametrize(("sheet", "columns", "rows"), [(0, 3, 3), pytest.param(1, 3, 2, marks=pytest.mark.further)])
def test_cut_marks_stand_outside_the_cards_in_line_with_every_edge(sheet: int, columns: int, rows: int) -> None:
    image = page(pdf(), FIRST + 2 * sheet, 20)
    across, down = [10.5 + 63 * column for column in range(columns + 1)], [16.5 + 88 * row for row in range(rows + 1)]
    below, right = down[-1] + 3.5, across[-1] + 3.5
    for y in (13, below):
        assert middles_of_marks(image[round(y * 20)]) == pytest.approx(across, abs=0.1)
    for x in (7, right):
        assert middles_of_marks(image[:, round(x * 20)]) == pytest.approx(down, abs=0.1)
    for gap in (image[15 * 20], image[round((down[-1] + 1) * 20)]):
        assert gap.min() == 255


def test_the_deck_has_every_face_as_often_as_it_says() -> None:
    deck = STANDARD
    data = print_deck(deck, load_edition(), PAPERS["a4"], "en")
    sheets = -(-(deck.size + RULES) // 9)
    assert len(opened(data)) == 2 + 2 * sheets
    counted: Counter[str] = Counter()
    pictures = {
        face.id: cv2.resize(rasterized(face_svg(face), PX), (63, 88), interpolation=cv2.INTER_AREA).astype(float)
        for face in deck.faces
    }
    for sheet in range(sheets):
        image = page(data, FIRST + 2 * sheet)
        for row, column in list(product(range(3), range(3)))[: deck.size - 9 * sheet]:
            left, top = round((10.5 + 63 * column) * PX), round((16.5 + 88 * row) * PX)
            cell = image[top : top + 352, left : left + 252]
            small = cv2.resize(cell, (63, 88), interpolation=cv2.INTER_AREA).astype(float)
            difference = {key: float(np.abs(small - other).mean()) for key, other in pictures.items()}
            best, second = sorted(difference.values())[:2]
            assert best < 0.5 * second
            counted[min(difference, key=lambda key: difference[key])] += 1
    assert counted == {face.id: face.count for face in deck.faces}


def base_name(font: object) -> str:
    """A font's name without the letters that mark it as a part of it."""
    buffer = ctypes.create_string_buffer(100)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, 100)
    return buffer.value.decode().rpartition("+")[2]


def test_all_fonts_are_embedded() -> None:
    document = opened(pdf())
    written = [
        pdfium.FPDFTextObj_GetFont(thing.raw)
        for sheet in document
        for thing in sheet.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT])
    ]
    assert len(document) == 6
    assert {base_name(font) for font in written} == {"OpenSans", "OpenSansBold"}
    assert all(pdfium.FPDFFont_GetIsEmbedded(font) == 1 for font in written)


def text(data: bytes, index: int) -> str:
    document = opened(data)
    return " ".join(document[index % len(document)].get_textpage().get_text_range().split())


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_card_of_the_deck_costs_no_sheet_of_its_own(language: str, paper: str) -> None:
    """55 cards are one more than six sheets hold: the rules in short lie beside it, not on one more sheet."""
    canvas = Canvas(PAPERS[paper], "counted")
    canvas.add_page()
    rules = rule_cards(canvas, load_edition(), STANDARD, texts(language))
    canvas.finished()  # or files of letters stay open
    sheet = grid_on(PAPERS[paper], STANDARD.card_mm).cards
    assert -(-(STANDARD.size + len(rules)) // sheet) == -(-STANDARD.size // sheet) == 7


@pytest.mark.parametrize(
    ("language", "words"),
    [
        pytest.param(
            "en", ("Emma and four dice", "The rules in brief", "Shuffle all cards"), marks=pytest.mark.further
        ),
        ("de", ("Emma und vier Würfel", "Kurzregeln", "Mischt alle Karten")),
        pytest.param(
            "es",
            ("Locomotora y cuatro dados", "Las reglas en breve", "Barajad todas las cartas"),
            marks=pytest.mark.further,
        ),
    ],
)
def test_the_first_page_has_the_cut_outs_and_the_last_the_rules(language: str, words: tuple[str, str, str]) -> None:
    data = print_deck(SMALL, load_edition(), PAPERS["a4"], language)
    cut_outs, empty, outside, inside = (text(data, index) for index in (0, 1, -2, -1))
    assert all(part in told for part, told in zip(words, (cut_outs, outside, inside), strict=True))
    assert empty == ""
    assert page(data, 1).min() == 255
    assert "{" not in cut_outs + outside + inside


@pytest.mark.parametrize("language", ["de", *(pytest.param(each, marks=pytest.mark.further) for each in ("en", "es"))])
@pytest.mark.parametrize(("edition", "paper"), list(zip(edition_names(), cycle(PAPERS), strict=False)))
def test_rules_are_written_large_and_stay_inside_their_cards(edition: str, paper: str, language: str) -> None:
    rules = load_edition(edition)
    deck = standard_deck(rules.deck)
    few = msgspec.structs.replace(
        deck, faces=tuple(next(f for f in deck.faces if f.kind is kind) for kind in {face.kind for face in deck.faces})
    )
    canvas = Canvas(PAPERS[paper], "rules")
    canvas.add_page()
    card_sheet(canvas, grid_on(PAPERS[paper], CARD_MM), rule_cards(canvas, rules, few, texts(language)))
    check_letters(canvas.finished(), paper)


def check_letters(data: bytes, paper: str) -> None:
    """All of them are large, and inside their cards."""
    left, top = PAPERS[paper].width / 2 - 94.5, PAPERS[paper].height / 2 - 132
    for sheet in opened(data):
        sizes = [thing.get_font_size() for thing in sheet.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT])]
        assert min(sizes, default=9) >= 9
        written = sheet.get_textpage()
        for number in range(written.count_rects()):
            x, low, end_x, high = (side * 25.4 / 72 for side in written.get_rect(number))
            across = ((x - left) % 63, (x - left) % 63 + end_x - x)
            down = (PAPERS[paper].height - high - top) % 88, (PAPERS[paper].height - high - top) % 88 + high - low
            assert 2.4 < across[0] < across[1] < 60.6, written.get_text_bounded(*written.get_rect(number))
            assert 2.4 < down[0] < down[1] < 85.6, written.get_text_bounded(*written.get_rect(number))


@pytest.mark.parametrize(
    ("language", "address"),
    [
        pytest.param("en", "http://companion.local:8055/", marks=pytest.mark.further),
        ("de", f"http://companion.local:8055/{'long/' * 34}"),
    ],
)
def test_a_side_of_the_rules_leads_phones_to_the_page(language: str, address: str) -> None:
    canvas = Canvas(PAPERS["a4"], "rules")
    canvas.add_page()
    rules = rule_cards(canvas, load_edition(), STANDARD, texts(language), address)
    card_sheet(canvas, grid_on(PAPERS["a4"], CARD_MM), rules)
    data = canvas.finished()
    check_letters(data, "a4")
    assert "".join(text(data, -1).split()).count(address) == 1
    # The back of the last card, three of which lie in a row; pages are turned over the long edge.
    px, row, column = 10, (len(rules) - 1) // 3, 2 - (len(rules) - 1) % 3
    x, y = round(px * (210 / 2 - 94.5 + 63 * column)), round(px * (297 / 2 - 132 + 88 * row))
    card = page(data, -1, float(px))[y : y + px * 88, x : x + px * 63]
    told, corners, _ = cv2.QRCodeDetector().detectAndDecode(card)
    assert told == address
    left, top, right, bottom = (side / px for side in (*corners[0].min(axis=0), *corners[0].max(axis=0)))
    assert min(right - left, bottom - top) >= 20
    # Around it is nothing dark, four modules wide.
    quiet = 3.5 * (right - left) / len(segno.make(address, micro=False, error="m").matrix)
    beside = card[
        round(px * (top - quiet)) : round(px * (bottom + quiet)), round(px * (left - quiet)) : round(px * left) - 3
    ]
    assert beside.min() > 220


def test_the_ruler_is_100_mm_long() -> None:
    image = page(pdf(), 0, 20)[:, :, 0] < 128
    longest = 0
    for row in image[-40 * 20 :]:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
        longest = max([longest, *(edges[1::2] - edges[::2])])
    assert longest / 20 == pytest.approx(100, abs=0.1)


def test_a_card_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(CardTooLarge, match="300 x 400 mm does not fit on a4"):
        print_deck(msgspec.structs.replace(SMALL, card_mm=(300, 400)), load_edition(), PAPERS["a4"], "en")


def test_a_face_without_rails_is_refused_by_name() -> None:
    with pytest.raises(DeckError, match="mystery"):
        print_deck(Deck("x", (Face("mystery", 1, Kind.TRACK, 1),)), load_edition(), PAPERS["a4"], "en")


@pytest.mark.further
def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    print_deck(SMALL, load_edition(), PAPERS["a4"], "en", lambda done, of: told.append((done, of)))
    assert told == [(4, 6), (6, 6)]
