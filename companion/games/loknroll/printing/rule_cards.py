"""The rules in short, on cards of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

import segno

from companion.games.drawing.canvas import POINT_MM, Canvas
from companion.games.drawing.sheets import Card, Side
from companion.games.drawing.svg import contents, document, placed, rectangle
from companion.games.loknroll.artwork.back import GROUND, driving_wheel
from companion.games.loknroll.artwork.card import face_svg
from companion.games.loknroll.artwork.palette import INK, PAPER
from companion.games.loknroll.rules import Edition, Mode
from companion.texts.language import Texts
from vision.cards import CARD_MM, Deck, Face, Kind

MARGIN_MM: Final = 3.8
POINTS: Final = (9.0, 11.0)
"""Smallest and largest size of the text."""
ORNAMENT_MM: Final = 20.0
"""Size of the wheel on a side that its text leaves half empty."""
_CODE_MM: Final = 48.0
"""Size of a code with its border, where the address leaves room for it; it always leaves some 30."""
_QUIET_MODULES: Final = 4
"""So wide the light border of a QR code has to be (ISO/IEC 18004)."""
_OVERLAP_MM: Final = 0.02
_GOLD: Final = "#e8b64c"
_HEADING: Final = "#8f2a12"
_WIDTH, _HEIGHT = CARD_MM


class Section(NamedTuple):
    """A heading and what it says."""

    title: str
    text: str


def rule_cards(canvas: Canvas, edition: Edition, deck: Deck, say: Texts, address: str = "") -> list[Card]:
    """As few cards as the rules need in legible writing: a cover, then sides of text, as large as these cards allow.

    With the ``address`` of the companion's page one side more leads phones there.
    """
    told = sections(edition, deck, say)
    last: list[Side] = [partial(_page_side, canvas, address, say)] if address else []
    points, larger = POINTS
    # With the cover the sides of text are as many as fill whole cards, or one is left for a wheel.
    flowing = _flowing(told, _heights(canvas, told, points), points)
    count = (len(flowing) + len(last) + 2) // 2
    while larger - points > 0.05:
        middle = (points + larger) / 2
        heights = _heights(canvas, told, middle)
        tried = _flowing(told, heights, middle)
        if max(heights) <= _HEIGHT - 2 * MARGIN_MM and len(tried) + len(last) < 2 * count:
            points, flowing = middle, tried
        else:
            larger = middle
    sides: list[Side] = [partial(_cover, canvas, deck, say)]
    sides += [partial(_side, canvas, part, points) for part in flowing]
    sides += [partial(_side, canvas, [], points)] * (2 * count - len(sides) - len(last)) + last
    return [Card(front, back) for front, back in zip(sides[::2], sides[1::2], strict=True)]


def sections(edition: Edition, deck: Deck, say: Texts) -> list[Section]:
    """All rules in short."""
    return [*_turn_sections(edition, deck, say), *_price_sections(deck, say), *_end_sections(edition, say)]


def _turn_sections(edition: Edition, deck: Deck, say: Texts) -> list[Section]:
    """How a game begins, and what may be done in a turn."""
    removed = ", ".join(
        say("setup.removed", players=say(f"mode.{mode.value}"), count=count)
        for mode, count in edition.removed.items()
        if mode is not Mode.SOLO_HARD
    )
    laying = say("setup.all-laying-rules" if edition.setup_difference_rule else "setup.only-rails")
    setting_up = say(
        f"setup.{edition.direction}",
        start=edition.start_cards,
        laying=laying,
        emma=edition.emma_starts_on,
        removed=removed,
        hand=edition.hand_cards,
    )
    rolling = say(f"build.{edition.dice_count}")
    wheels = say("build.wheels" if max(edition.die) > 1 else "build.wheel")
    return [
        Section(say("setup.title"), setting_up),
        Section(say("turn.title"), say("turn.text" if Kind.CHAOS in _kinds(deck) else "turn.text-without-chaos")),
        Section(say("pass.title"), say("pass.text")),
        Section(say("build.title"), f"{say('build.laying')} {rolling} {wheels}"),
    ]


def _price_sections(deck: Deck, say: Texts) -> list[Section]:
    """What goes wrong on the way, and what it costs."""
    kinds = _kinds(deck)
    keys = ["derail", *(["broken"] if Kind.BROKEN in kinds else []), "penalty", "combine"]
    keys += ["chaos"] if Kind.CHAOS in kinds else []
    return [Section(say(f"{key}.title"), say(f"{key}.text")) for key in keys]


def _end_sections(edition: Edition, say: Texts) -> list[Section]:
    """How a game ends, and how it is played alone and against the automaton."""
    sections = [Section(say("end.title"), say("end.text"))]
    if Mode.SOLO in edition.modes:
        text = say("solo.text")
        if Mode.SOLO_HARD in edition.modes:
            text += " " + say("solo.hard", derailments=edition.most_derailments + 1)
        sections.append(Section(say("solo.title"), text))
    if Mode.BETSY in edition.modes:
        begins = say("automaton.begins" if edition.automaton_starts else "automaton.second", name=edition.automaton)
        title = say("automaton.title", name=edition.automaton)
        sections.append(Section(title, f"{begins} {say('automaton.text', name=edition.automaton)}"))
    return sections


def _flowing(told: Sequence[Section], heights: Sequence[float], points: float) -> list[list[Section]]:
    """The sections in their order, as many on each side as fit."""
    sides: list[list[Section]] = []
    left = -1.0
    for section, height in zip(told, heights, strict=True):
        if height > left:
            sides.append([])
            left = _HEIGHT - 2 * MARGIN_MM
        sides[-1].append(section)
        left -= height + _gap(points)
    return sides


def _side(canvas: Canvas, told: Sequence[Section], points: float, x: float, y: float) -> None:
    """Some sections, and a wheel where they leave room for it."""
    width = _WIDTH - 2 * MARGIN_MM
    canvas.draw(_sheet(), x, y)
    bottom, y = y + _HEIGHT - MARGIN_MM, y + MARGIN_MM
    for section in told:
        y = canvas.write(section.title, x + MARGIN_MM, y, width, points=1.18 * points, bold=True, colour=_HEADING)
        y = canvas.write(section.text, x + MARGIN_MM, y, width, points=points) + _gap(points)
    left = bottom - y
    if left > ORNAMENT_MM:
        wheel = placed(driving_wheel(), ORNAMENT_MM / 2, ORNAMENT_MM / 2, scale=ORNAMENT_MM / 40)
        drawing = document(ORNAMENT_MM, ORNAMENT_MM, rectangle(0, 0, ORNAMENT_MM, ORNAMENT_MM, PAPER), wheel)
        canvas.draw(drawing, x + (_WIDTH - ORNAMENT_MM) / 2, y + (left - ORNAMENT_MM) / 2)


def _page_side(canvas: Canvas, address: str, say: Texts, x: float, y: float) -> None:
    """Where phones find the companion's page, as a code and in letters."""
    width, points = _WIDTH - 2 * MARGIN_MM, POINTS[0]
    canvas.draw(_sheet(), x, y)
    bottom, y = y + _HEIGHT - MARGIN_MM, y + MARGIN_MM
    title = say("page.title")
    y = canvas.write(title, x + MARGIN_MM, y, width, points=1.18 * points, bold=True, colour=_HEADING)
    y = canvas.write(say("page.text"), x + MARGIN_MM, y, width, points=points) + _gap(points)
    letters = canvas.height_of(address, width, points=points, bold=True)
    size = min(_CODE_MM, bottom - y - letters)
    canvas.draw(_code(address, size), x + (_WIDTH - size) / 2, y)
    canvas.write(address, x + MARGIN_MM, y + size, width, points=points, bold=True, align="C")


def _code(address: str, size: float) -> str:
    """An address as a QR code of this size, with the white border that it needs."""
    rows = [bytes(row) for row in segno.make(address, micro=False, error="m").matrix_iter(border=_QUIET_MODULES)]
    module = size / len(rows)
    # A row's dark modules that touch are one: between two of them a printer would leave a light line.
    runs = [
        (run.start() * module, number * module, (run.end() - run.start()) * module)
        for number, row in enumerate(rows)
        for run in re.finditer(rb"\x01+", row)
    ]
    # Some hundredths of a mm more downwards, for the same reason.
    dark = [rectangle(left, top, width, module + _OVERLAP_MM, INK) for left, top, width in runs]
    return document(size, size, rectangle(0, 0, size, size, "#ffffff"), *dark)


def _sheet() -> str:
    """Paper and a thin frame."""
    inset = 1.8
    frame = rectangle(
        inset, inset, _WIDTH - 2 * inset, _HEIGHT - 2 * inset, "none", rx=2, stroke=_GOLD, stroke_width=0.5
    )
    return document(_WIDTH, _HEIGHT, rectangle(0, 0, _WIDTH, _HEIGHT, PAPER), frame)


def _heights(canvas: Canvas, told: Sequence[Section], points: float) -> list[float]:
    """How high each section is, on a side of its own."""
    width = _WIDTH - 2 * MARGIN_MM
    titles = (canvas.height_of(section.title, width, points=1.18 * points, bold=True) for section in told)
    texts = (canvas.height_of(section.text, width, points=points) for section in told)
    return [title + text for title, text in zip(titles, texts, strict=True)]


def _gap(points: float) -> float:
    return 0.55 * points * POINT_MM


def _cover(canvas: Canvas, deck: Deck, say: Texts, x: float, y: float) -> None:
    """The title, and a card of each kind with its name."""
    examples = _examples(deck)
    canvas.draw(_cover_picture(examples), x, y)
    canvas.write("LOK'n'ROLL", x + 4, y + 7.5, _WIDTH - 8, points=21, bold=True, colour=_GOLD, align="C")
    canvas.write(say("cover.subtitle"), x + 4, y + 17.5, _WIDTH - 8, points=9, colour=PAPER, align="C")
    for index, face in enumerate(examples):
        count = sum(other.count for other in deck.faces if other.kind is face.kind)
        left, step = _example_left(index, len(examples))
        told = f"{count} × {say(f'kind.{face.kind}')}"
        canvas.write(told, x + left - 1, y + 73, step, points=POINTS[0], bold=True, colour=PAPER, align="C")


def _examples(deck: Deck) -> list[Face]:
    """A face of each kind, of different values as far as possible."""
    of_kind = ([face for face in deck.faces if face.kind is kind] for kind in _kinds(deck))
    return [faces[index * (len(faces) - 1) // 2] for index, faces in enumerate(of_kind)]


def _kinds(deck: Deck) -> list[Kind]:
    return [kind for kind in Kind if any(face.kind is kind for face in deck.faces)]


def _example_left(index: int, count: int) -> tuple[float, float]:
    step = 18.4
    return _WIDTH / 2 - count * step / 2 + 1 + index * step, step


def _cover_picture(examples: Sequence[Face]) -> str:
    drawn = [
        rectangle(0, 0, _WIDTH, _HEIGHT, GROUND),
        rectangle(2.6, 2.6, _WIDTH - 5.2, _HEIGHT - 5.2, "none", rx=2.6, stroke=_GOLD, stroke_width=0.7),
        placed(driving_wheel(), _WIDTH / 2, 34, scale=0.52),
    ]
    for index, face in enumerate(examples):
        scale = min(16.4 / face.size_mm[0], 24 / face.size_mm[1])
        left, _ = _example_left(index, len(examples))
        drawn.append(placed(contents(face_svg(face)), left, 48, scale=scale))
    return document(_WIDTH, _HEIGHT, *drawn)
