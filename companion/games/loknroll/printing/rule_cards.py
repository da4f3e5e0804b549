"""The rules in short in three languages: cards of double width, printed on both sides and folded to a card's size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.games.loknroll.artwork import face_svg
from companion.games.loknroll.artwork.back import GROUND, driving_wheel
from companion.games.loknroll.artwork.palette import DANGER, PAPER
from companion.games.loknroll.artwork.svg import contents, document, path, placed, rectangle, stroke
from companion.games.loknroll.printing.canvas import POINT_MM, Canvas
from companion.games.loknroll.printing.sheets import MARK_GAP_MM, MARK_MM
from companion.games.loknroll.rules import Edition, Mode
from companion.texts.language import LANGUAGES, Texts
from vision.cards import CARD_MM, Deck, Face, Kind

MARGIN_MM: Final = 4.4
POINTS: Final = (5.6, 8.4)
"""Smallest and largest size of the text."""
ORNAMENT_MM: Final = 26.0
"""Size of the wheel on a side that its text leaves half empty."""
_GOLD: Final = "#e8b64c"
_HEADING: Final = "#8f2a12"
_WIDTH, _HEIGHT = CARD_MM


class Section(NamedTuple):
    """A heading and what it says."""

    title: str
    text: str


def rule_pages(canvas: Canvas, edition: Edition, deck: Deck) -> None:
    """A page with the outer sides of the three cards, and the page for their inner sides."""
    left, top = (canvas.paper.width - 2 * _WIDTH) / 2, (canvas.paper.height - len(LANGUAGES) * _HEIGHT) / 2
    says = [Texts(language, "companion.games.loknroll.printing") for language in LANGUAGES]
    canvas.add_page()
    canvas.draw(_marks(canvas, left, top))
    for index, say in enumerate(says):
        y = top + index * _HEIGHT
        _half(canvas, left, y, last_sections(edition, say))
        _cover(canvas, left + _WIDTH, y, deck, say)
    canvas.add_page()
    for index, say in enumerate(says):
        y = top + index * _HEIGHT
        _half(canvas, left, y, first_sections(edition, deck, say))
        _half(canvas, left + _WIDTH, y, middle_sections(deck, say))


def first_sections(edition: Edition, deck: Deck, say: Texts) -> list[Section]:
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


def middle_sections(deck: Deck, say: Texts) -> list[Section]:
    """What goes wrong on the way, and what it costs."""
    kinds = _kinds(deck)
    keys = ["derail", *(["broken"] if Kind.BROKEN in kinds else []), "penalty", "combine"]
    keys += ["chaos"] if Kind.CHAOS in kinds else []
    return [Section(say(f"{key}.title"), say(f"{key}.text")) for key in keys]


def last_sections(edition: Edition, say: Texts) -> list[Section]:
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


def _half(canvas: Canvas, x: float, y: float, sections: Sequence[Section]) -> None:
    """A side of card size, in the largest writing that fits."""
    width, room = _WIDTH - 2 * MARGIN_MM, _HEIGHT - 2 * MARGIN_MM
    # From the smallest to the largest in half steps: measuring takes long.
    points, larger = POINTS
    while larger - points > 0.08:
        middle = (points + larger) / 2
        points, larger = (middle, larger) if _needed(canvas, sections, width, middle) <= room else (points, middle)
    canvas.draw(_sheet(), x, y)
    top, y = y, y + MARGIN_MM + 0.3
    for section in sections:
        y = canvas.write(section.title, x + MARGIN_MM, y, width, points=1.18 * points, bold=True, colour=_HEADING)
        y = canvas.write(section.text, x + MARGIN_MM, y, width, points=points) + _gap(points)
    left = top + _HEIGHT - MARGIN_MM - y
    if left > ORNAMENT_MM:
        wheel = placed(driving_wheel(), ORNAMENT_MM / 2, ORNAMENT_MM / 2, scale=ORNAMENT_MM / 40)
        drawing = document(ORNAMENT_MM, ORNAMENT_MM, rectangle(0, 0, ORNAMENT_MM, ORNAMENT_MM, PAPER), wheel)
        canvas.draw(drawing, x + (_WIDTH - ORNAMENT_MM) / 2, y + (left - ORNAMENT_MM) / 2)


def _sheet() -> str:
    """Paper and a thin frame."""
    inset = 1.8
    frame = rectangle(
        inset, inset, _WIDTH - 2 * inset, _HEIGHT - 2 * inset, "none", rx=2, stroke=_GOLD, stroke_width=0.5
    )
    return document(_WIDTH, _HEIGHT, rectangle(0, 0, _WIDTH, _HEIGHT, PAPER), frame)


def _needed(canvas: Canvas, sections: Sequence[Section], width: float, points: float) -> float:
    heights = (
        canvas.height_of(section.title, width, points=1.18 * points, bold=True)
        + canvas.height_of(section.text, width, points=points)
        for section in sections
    )
    return sum(heights) + _gap(points) * (len(sections) - 1)


def _gap(points: float) -> float:
    return 0.55 * points * POINT_MM


def _cover(canvas: Canvas, x: float, y: float, deck: Deck, say: Texts) -> None:
    """The title, and a card of each kind with its name."""
    examples = _examples(deck)
    canvas.draw(_cover_picture(examples), x, y)
    canvas.write("LOK'n'ROLL", x + 4, y + 7.5, _WIDTH - 8, points=21, bold=True, colour=_GOLD, align="C")
    canvas.write(say("cover.subtitle"), x + 4, y + 17.5, _WIDTH - 8, points=9, colour=PAPER, align="C")
    for index, face in enumerate(examples):
        count = sum(other.count for other in deck.faces if other.kind is face.kind)
        left, step = _example_left(index, len(examples))
        told = f"{count} × {say(f'kind.{face.kind}')}"
        canvas.write(told, x + left - 1, y + 77.5, step, points=6.2, bold=True, colour=PAPER, align="C")


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
        placed(driving_wheel(), _WIDTH / 2, 36.5, scale=0.58),
    ]
    for index, face in enumerate(examples):
        scale = min(16.4 / face.size_mm[0], 24 / face.size_mm[1])
        left, _ = _example_left(index, len(examples))
        drawn.append(placed(contents(face_svg(face)), left, 53, scale=scale))
    return document(_WIDTH, _HEIGHT, *drawn)


def _marks(canvas: Canvas, left: float, top: float) -> str:
    """Cut marks at the corners of the cards, and a dashed one where they are folded."""
    right, bottom = left + 2 * _WIDTH, top + len(LANGUAGES) * _HEIGHT
    near, far = MARK_GAP_MM, MARK_GAP_MM + MARK_MM
    upright = [
        stroke([(x, y + sign * near), (x, y + sign * far)], "#000000", 0.15)
        for x in (left, right)
        for y, sign in ((top, -1), (bottom, 1))
    ]
    level = [
        stroke([(x + sign * near, y), (x + sign * far, y)], "#000000", 0.15)
        for y in (top + row * _HEIGHT for row in range(len(LANGUAGES) + 1))
        for x, sign in ((left, -1), (right, 1))
    ]
    fold = left + _WIDTH
    folds = [
        path(
            f"M{fold} {y + sign * near}V{y + sign * far}", stroke=DANGER, stroke_width=0.15, stroke_dasharray="0.6 0.4"
        )
        for y, sign in ((top, -1), (bottom, 1))
    ]
    return document(canvas.paper.width, canvas.paper.height, *upright, *level, *folds)
