"""A picture of what checked dice have shown."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import Final

from PIL import Image, ImageDraw
from PIL.ImageFont import FreeTypeFont, truetype

from companion.commands.dice_box.dice_drawing import die_name, face_name, test_line
from companion.dice.fairness import Fairness
from companion.texts.language import Texts

# All lengths in px.
WIDTH: Final = 1000
PANEL_HEIGHT: Final = 430
_LEFT, _RIGHT = 30, 970
_TOP, _FOOT = 120, 380
_MOST_LABELS: Final = 20

_PAPER, _INK, _QUIET, _BAR, _LINE = "#fffdf6", "#17191c", "#6b6b66", "#3f6f8f", "#c1502e"


def plot(checked: Sequence[Fairness], say: Texts) -> Image.Image:
    """A panel for each die below each other: its counts as bars, and a line at what was expected."""
    image = Image.new("RGB", (WIDTH, PANEL_HEIGHT * len(checked)), _PAPER)
    for number, done in enumerate(checked):
        panel = Image.new("RGB", (WIDTH, PANEL_HEIGHT), _PAPER)
        _draw_panel(ImageDraw.Draw(panel), done, say)
        image.paste(panel, (0, number * PANEL_HEIGHT))
    return image


def _draw_panel(pen: ImageDraw.ImageDraw, done: Fairness, say: Texts) -> None:
    title = say("dice.check-title", die=die_name(done.die, say), throws=done.throws)
    pen.text((_LEFT, 20), title, _INK, _font("Bold", 28))
    pen.text((_LEFT, 60), test_line(done, say), _QUIET, _font("Regular", 18))
    pen.text((_RIGHT, 72), say("dice.expected"), _LINE, _font("Regular", 18), "rm")
    pitch = (_RIGHT - _LEFT) / len(done.faces)
    highest = max(max(face.times, face.expected) for face in done.faces)
    every = -(-len(done.faces) // _MOST_LABELS)
    small = _font("Regular", 18 if len(done.faces) <= 12 else 14)
    for number, face in enumerate(done.faces):
        left = _LEFT + pitch * number
        middle = left + pitch / 2
        top = _FOOT - (_FOOT - _TOP) * face.times / highest
        pen.rectangle((left + pitch * 0.12, top, left + pitch * 0.88, _FOOT), _BAR)
        expected = _FOOT - (_FOOT - _TOP) * face.expected / highest
        pen.line((left, expected, left + pitch, expected), _LINE, 2)
        if every == 1:
            pen.text(
                (middle, min(top, expected) - 6), str(face.times), _QUIET, _fitting(pen, str(face.times), pitch), "ms"
            )
        if number % every == every - 1 or every == 1:
            pen.text((middle, _FOOT + 24), face_name(done.die, face.face, say), _INK, small, "ms")
    pen.line((_LEFT, _FOOT, _RIGHT, _FOOT), _INK, 2)


def _fitting(pen: ImageDraw.ImageDraw, text: str, width: float) -> FreeTypeFont:
    """The largest letters with which the text is no wider than that."""
    fitting = (size for size in range(18, 8, -1) if pen.textlength(text, _font("Regular", size)) <= width - 10)
    return _font("Regular", next(fitting, 8))


def _font(weight: str, size: int) -> FreeTypeFont:
    with as_file(files("companion.screen") / "typefaces" / f"OpenSans-{weight}.ttf") as file:
        return truetype(file, size)
