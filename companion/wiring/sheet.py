"""A drawing in SVG, piece by piece: few kinds of strokes and letters, so that all of it looks alike."""

from __future__ import annotations

from html import escape
from importlib.resources import as_file, files
from typing import Final, Literal

import resvg_py

INK: Final = "#22313a"
FAINT: Final = "#8a979e"
FONT: Final = "Open Sans"

Anchor = Literal["start", "middle", "end"]


class Sheet:
    """A drawing of so many px; y goes down."""

    def __init__(self, width: float, height: float) -> None:
        self.size = (width, height)
        self._parts = [f'<rect width="{width}" height="{height}" fill="#fff"/>']

    def rectangle(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        *,
        fill: str = "none",
        stroke: str = "none",
        radius: float = 0,
        line: float = 2,
    ) -> None:
        """A rectangle with round corners."""
        self._parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius}" '
            f'fill="{fill}" stroke="{stroke}" stroke-width="{line}"/>'
        )

    def circle(self, x: float, y: float, radius: float, *, fill: str, stroke: str = "none", line: float = 2) -> None:
        """A disc."""
        self._parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="{line}"/>'
        )

    def path(
        self,
        points: list[tuple[float, float]],
        *,
        stroke: str = INK,
        line: float = 2,
        dash: str = "",
        fill: str = "none",
    ) -> None:
        """Straight lines from point to point, with round joints."""
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<polyline points="{way}" fill="{fill}" stroke="{stroke}" stroke-width="{line}" '
            f'stroke-linejoin="round" stroke-linecap="round"{dashed}/>'
        )

    def wires(self, ways: list[list[tuple[float, float]]], colour: str) -> None:
        """Wires that join each other, and pass in front of those drawn before."""
        for points in ways:
            self.path(points, stroke="#fff", line=9)
        for points in ways:
            self.path(points, stroke=colour, line=4)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 16,
        fill: str = INK,
        anchor: Anchor = "start",
        bold: bool = False,
    ) -> None:
        """A line of text on its base line."""
        weight = "bold" if bold else "normal"
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-family="{FONT}, sans-serif" font-size="{size}" font-weight="{weight}" '
            f'fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def place(self, other: Sheet, top: float, left: float = 0) -> None:
        """Another drawing, so far from the top and from the left."""
        body = "\n".join(other._parts)
        self._parts.append(f'<g transform="translate({left:.1f} {top:.1f})">\n{body}\n</g>')

    def svg(self) -> str:
        """The drawing."""
        width, height = self.size
        body = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">\n{body}\n</svg>\n'
        )


def rendered(svg: str, zoom: int = 1) -> bytes:
    """A drawing as a PNG, with the letters that come with the program."""
    with as_file(files("companion.screen") / "typefaces") as fonts:
        png: bytes = resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=zoom,
            dpi=96,
            skip_system_fonts=True,
            font_files=[str(font) for font in sorted(fonts.glob("OpenSans-*.ttf"))],
            sans_serif_family=FONT,
            background="#ffffff",
        )
    return bytes(png)
