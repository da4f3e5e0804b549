"""The camera's side of aiming: judges each picture, and says the one thing that is to be done first.

What is to the left in a picture may be to the right of who stands at the table, as the camera hangs: how the picture
answers to what was said tells.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import cv2
import numpy as np

from companion.doctor.hints import Hint, Subject, Where
from companion.doctor.picture import SHARP_ENOUGH, Light, light_of, sharpness_of
from vision.rendering.places import SHOW_SPOT_MM, TABLE_MM
from vision.report.camera_aim import Aim, aim_of
from vision.report.focus_watch import Focus, FocusWatch, Turn
from vision.report.mirrored_lamp import Lamps, mirrored_lamps
from vision.watching.table_reading import TableReading

if TYPE_CHECKING:
    from vision.arrays import Corners, Picture, Points
    from vision.watching.steady_view import Still

_SURE: Final = 3
"""So many pictures have to tell the same, one after the other, before something else is said."""
_QUARTERS: Final[tuple[tuple[Where, tuple[int, int]], ...]] = (
    ("left", (-1, 0)),
    ("far", (0, -1)),
    ("right", (1, 0)),
    ("near", (0, 1)),
)
"""Where in the picture it is by a quarter further around each, if the person sees it as the camera does."""
_CLEARLY: Final = 30.0
"""So many degrees off a side a picture may move to tell which side it is."""
_CARDS, _TABLE, _SPOT, _LAMP = (60, 220, 60), (255, 255, 255), (60, 220, 255), (40, 60, 240)


class _Seen(NamedTuple):
    """What a single picture shows, and its sharpness beside that of others."""

    light: Light
    lamps: Lamps
    aim: Aim
    focus: Focus
    is_blurred: bool


class Judged(NamedTuple):
    """What a picture shows, and what is said of it. ``show_spot`` is where shown cards are laid best (corners, px)."""

    picture: Picture
    hint: Hint
    seen: _Seen
    show_spot: Corners | None


class AimingEyes:
    """Judges pictures (``companion.games.game.Eyes``); what else is public may be called by any thread."""

    def __init__(self, card_mm: tuple[float, float]) -> None:
        """``card_mm`` is the size of the cards that are laid."""
        self._card_mm = card_mm
        self.judged: Judged | None = None
        """The last picture; None before the first one."""
        self._accepted: frozenset[Subject] = frozenset()
        self._begin()

    def _begin(self) -> None:
        self._focusing = FocusWatch()
        self._is_focused = False
        self._said = Hint("looking")
        self._next = self._said
        self._told = 0
        self._quarter = 0
        """By so many quarters the person sees the table turned clockwise beside the picture."""
        self._aim = Aim()
        self._moved = np.zeros(2)
        """How far the cards have moved in the picture since it was said which way to look."""

    def accept(self, subject: Subject) -> None:
        """It is no more spoken of."""
        self._accepted |= {subject}

    def look(self, picture: Picture, expected: Collection[str], still: Still) -> TableReading:  # noqa: ARG002
        """Judges the next picture (h × w × 3, B, G, R)."""
        light = light_of(picture)
        aim = aim_of(picture, self._card_mm, TABLE_MM, was_right=self._aim.is_right)
        self._notice_motion(aim)
        self._aim = aim
        lamps = mirrored_lamps(picture, aim.cards)
        focus = self._focusing.look(picture)
        if focus.turn is not Turn.UNKNOWN:
            # First it is told to stop turning.
            was_told = self._said == Hint("focus", turn=Turn.SHARPEST) and self._told >= 2 * _SURE
            self._is_focused = focus.turn is Turn.SHARPEST and (was_told or self._is_focused)
        sharpness = sharpness_of(picture)
        seen = _Seen(light, lamps, aim, focus, is_blurred=sharpness is not None and sharpness < SHARP_ENOUGH)
        self._settle(self._wanted((picture.shape[1], picture.shape[0]), seen))
        self.judged = Judged(picture, self._said, seen, self._show_spot(aim))
        return TableReading(is_dark=light.is_dark)

    def forget(self) -> None:
        """Another table comes."""
        self._begin()

    def drawn(self) -> Picture | None:
        """The last picture with the cards, the table that should be in sight, the show spot and lamps drawn in it."""
        judged = self.judged
        if judged is None:
            return None
        drawn = judged.picture.copy()
        thick = max(2, drawn.shape[1] // 500)
        outlines = [(corners, _CARDS) for corners in judged.seen.aim.cards]
        if judged.seen.aim.table is not None and judged.show_spot is not None:
            outlines += [(judged.seen.aim.table, _TABLE), (judged.show_spot, _SPOT)]
        for corners, colour in outlines:
            cv2.polylines(drawn, [np.rint(corners).astype(np.int32)], True, colour, thick, cv2.LINE_AA)  # noqa: FBT003
        for x, y, radius in judged.seen.lamps.spots:
            cv2.circle(drawn, (round(x), round(y)), round(1.3 * radius) + thick, _LAMP, 2 * thick, cv2.LINE_AA)
        return drawn

    def facts(self) -> Mapping[str, Any]:
        """The last picture as plain data, for a page; empty before the first one. Corners and lamps are in its px."""
        judged = self.judged
        if judged is None:
            return {}
        return {
            "size": [judged.picture.shape[1], judged.picture.shape[0]],
            "hint": judged.hint.key,
            "light": {
                "mean": round(judged.seen.light.mean),
                "dark": judged.seen.light.is_dark,
                "bright": judged.seen.lamps.is_bright,
            },
            "lamps": [[round(part, 1) for part in spot] for spot in judged.seen.lamps.spots],
            "sharpness": {
                "turn": judged.seen.focus.turn.value,
                "percent": round(100 * judged.seen.focus.share),
                "best_known": judged.seen.focus.is_known,
            },
            "cards": [_plain(corners) for corners in judged.seen.aim.cards],
            "card_px": round(judged.seen.aim.card_px, 1),
            "table": None if judged.seen.aim.table is None else _plain(judged.seen.aim.table),
            "show_spot": None if judged.show_spot is None else _plain(judged.show_spot),
        }

    def _wanted(self, size: tuple[int, int], seen: _Seen) -> Hint:
        """What is to be done first, as far as this picture tells."""
        for hint in self._wrong(size, seen):
            # Without cards nothing can be told: that is said again once the lens is no reason any more.
            if hint.subject not in self._accepted or hint.subject == "cards":
                return hint
        return Hint("well")

    def _wrong(self, size: tuple[int, int], seen: _Seen) -> list[Hint]:
        """All that is wrong, in the order in which it is mended."""
        light, lamps, aim, focus, is_blurred = seen
        lens = Hint("focus", turn=focus.turn.value)
        spots = [Hint("lamp", self._place(spot, size)) for spot in lamps.spots[:1]]
        told = [
            (light.is_dark, Hint("dark")),
            # No lamp is mirrored in so much of a picture.
            (lamps.is_bright or (bool(lamps.spots) and light.has_glare), Hint("bright")),
            *((True, spot) for spot in spots),
            # What is so blurred hides where cards lie; once they are seen well the rest is done at the end.
            (is_blurred and not self._is_focused, lens),
            (not aim.cards and "cards" in self._accepted and not self._is_focused, lens),
            (not aim.cards, Hint("cards")),
            (any(aim.beside), Hint("beside", self._side(aim.beside))),
            (aim.is_low, Hint("low")),
            (aim.is_high, Hint("high")),
            (any(aim.tilted), Hint("tilted", self._side(aim.tilted))),
            (not self._is_focused, lens),
        ]
        return [hint for is_wrong, hint in told if is_wrong]

    def _settle(self, wanted: Hint) -> None:
        """Says something else once several pictures want it."""
        self._told = self._told + 1 if wanted == self._next else 1
        self._next = wanted
        if wanted == self._said or self._told < _SURE:
            return
        self._said = wanted
        self._moved = np.zeros(2)

    def _notice_motion(self, aim: Aim) -> None:
        """Where the view has moved another one is focused, and it tells from which side the person looks."""
        if not self._aim.cards or not aim.cards:
            return
        shift = _shift(self._aim, aim)
        if shift is None or math.hypot(*shift) > aim.card_px / 4:
            self._focusing.forget()
        if shift is None:
            self._moved = np.zeros(2)
            return
        self._moved += shift
        far = math.hypot(*self._moved)
        if self._said.subject != "beside" or far < aim.card_px / 2:
            return
        # What is seen moves the other way than the camera.
        turned = math.degrees(math.atan2(-self._moved[1], -self._moved[0])) - _angle(self._said.where)
        quarter = round(turned / 90)
        if abs(turned - 90 * quarter) < _CLEARLY:
            self._quarter = -quarter % 4
        self._moved = np.zeros(2)

    def _side(self, way: tuple[int, int]) -> Where:
        """What a side of the picture is called by the person."""
        ways = [side for _, side in _QUARTERS]
        return _QUARTERS[(ways.index(way) + self._quarter) % 4][0] if way in ways else ""

    def _place(self, spot: tuple[float, float, float], size: tuple[int, int]) -> Where:
        """Where in the picture a spot is, for the person."""
        x, y = (2 * place / side - 1 for place, side in zip(spot, size, strict=False))
        if max(abs(x), abs(y)) < 1 / 3:
            return "middle"
        return self._side((0, 1 if y > 0 else -1) if abs(y) > abs(x) else (1 if x > 0 else -1, 0))

    def _show_spot(self, aim: Aim) -> Corners | None:
        """Where the person lays a card to show it, as it is seen in the picture."""
        if aim.table is None:
            return None
        # Who stands at a short side of the picture has the table's depth before them.
        width, height = aim.table_mm[:: -1 if self._quarter % 2 else 1]
        table = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        seen = np.roll(aim.table, self._quarter, axis=0).astype(np.float32)
        corner = np.array([width, height]) - (np.array(TABLE_MM) - SHOW_SPOT_MM)
        card = corner + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(self._card_mm) / 2
        to_picture = cv2.getPerspectiveTransform(table, seen)
        return np.asarray(cv2.perspectiveTransform(card[None].astype(np.float32), to_picture)[0], np.float64)


def _angle(where: str) -> float:
    """The direction of a side, in degrees clockwise from the right as the person sees it."""
    return next(math.degrees(math.atan2(y, x)) for name, (x, y) in _QUARTERS if name == where)


def _shift(before: Aim, now: Aim) -> Points | None:
    """How far most of the cards have moved in the picture (x, y, px), the least if there are several ways.

    None where that cannot be told. One that is not seen for a moment does not matter.
    """
    was, are = _middles(before), _middles(now)
    shifts = (are[None] - was[:, None]).reshape(-1, 2)
    shifts = shifts[np.argsort(np.hypot(shifts[:, 0], shifts[:, 1]))]
    away = np.linalg.norm(was[None, :, None] + shifts[:, None, None] - are[None, None], axis=3).min(axis=2)
    alike = (away < now.card_px / 4).sum(axis=1)
    best = int(alike.argmax())
    return np.asarray(shifts[best]) if 2 * alike[best] > min(len(was), len(are)) else None


def _middles(aim: Aim) -> Points:
    return np.array([corners.mean(axis=0) for corners in aim.cards])


def _plain(corners: Corners) -> list[list[float]]:
    return [[round(float(part), 1) for part in corner] for corner in corners]
