"""A whole face, from its data and the deck's style."""

from __future__ import annotations

from random import Random

from companion.games.drawing.svg import document, group, path, rectangle
from companion.games.loknroll.artwork.centre_line import CentreLine
from tests.vision.random_decks.grounds import ground
from tests.vision.random_decks.marks import placed_mark, reminder, up_mark
from tests.vision.random_decks.railway import railway
from tests.vision.random_decks.scenery import scenery
from tests.vision.random_decks.style import Frame, Ground, Style
from tests.vision.random_decks.wrecks import wreck
from vision.cards import Face, Kind


def face_drawing(style: Style, face: Face, seed: int, *, has_track: bool = True, keeps_track: bool = False) -> str:
    """The face as vectors; without its track, or with one that a break ``keeps`` as it is, only for comparison."""
    width, height = style.card_mm
    under = ground_of(style, face)
    line = CentreLine(face) if face.has_rails else None
    # Each part has chance of its own: what one of them draws does not depend on how much another has drawn.
    about = f"{seed} {_shared(style, face)}"
    marks = [placed_mark(style, mark, face.value, under.base) for mark in style.marks]
    if style.reminder and line is not None:
        marks.append(reminder(style, face.value, under.base))
    if line is None:
        middle = wreck(style, under.base, Random(f"{seed} wreck {style.scenery_by == 'face' and face.id}"))
    elif has_track:
        is_broken = face.kind is Kind.BROKEN
        random = Random(f"{seed} track {face.shape}")
        middle = railway(line, style, under.base, random, is_broken=is_broken, keeps_track=keeps_track)
    else:
        middle = ""
    taken = [mark.disc for mark in marks]
    if line is None:
        taken.append((width / 2, height / 2, 0.36 * min(width, height)))
    things = scenery(style, line, taken, Random(f"{about} scenery"))
    frame = "" if style.frame is None else _frame(style.frame, width, height)
    return document(
        width,
        height,
        ground(under, style.card_mm, Random(f"{about} ground")),
        frame,
        up_mark(style, under.base, Random(f"{seed} up")),
        things,
        middle,
        *(mark.drawing for mark in marks),
    )


def ground_of(style: Style, face: Face) -> Ground:
    """What this face is printed on."""
    if face.kind is Kind.CHAOS and style.chaos_ground is not None:
        return style.chaos_ground
    return style.ground(face.value)


def _shared(style: Style, face: Face) -> str:
    """What faces with the same scenery have in common."""
    match style.scenery_by:
        case "face":
            return face.id
        case "value":
            return str(face.value)
        case "shape":
            return str(face.shape)
        case "deck":
            return ""


def _frame(frame: Frame, width: float, height: float) -> str:
    inset = frame.inset_mm + frame.width_mm / 2
    parts = [_outline(width, height, inset, frame.colour, frame.width_mm, frame.radius_mm)]
    if frame.is_margin:
        inner = rectangle_path(inset, inset, width - 2 * inset, height - 2 * inset, frame.radius_mm)
        outer = f"M-2 -2H{width + 2:.2f}V{height + 2:.2f}H-2Z"
        parts.append(path(outer + inner, frame.colour, fill_rule="evenodd"))
    if frame.is_double:
        parts.append(_outline(width, height, inset + 1.4, frame.colour, 0.3, max(0.0, frame.radius_mm - 1)))
    return group(*parts)


def _outline(width: float, height: float, inset: float, colour: str, thick: float, radius: float) -> str:
    size = (width - 2 * inset, height - 2 * inset)
    return rectangle(inset, inset, *size, "none", stroke=colour, stroke_width=thick, rx=radius)


def rectangle_path(x: float, y: float, width: float, height: float, radius: float) -> str:
    """Path data of a rectangle with rounded corners."""
    arc = f"a{radius:.2f} {radius:.2f} 0 0 1"
    right, down = width - 2 * radius, height - 2 * radius
    return (
        f"M{x + radius:.2f} {y:.2f}h{right:.2f}{arc} {radius:.2f} {radius:.2f}v{down:.2f}"
        f"{arc} {-radius:.2f} {radius:.2f}h{-right:.2f}{arc} {-radius:.2f} {-radius:.2f}"
        f"v{-down:.2f}{arc} {radius:.2f} {-radius:.2f}Z"
    )
