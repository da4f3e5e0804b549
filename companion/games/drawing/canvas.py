"""The PDF as something to draw and write on. All lengths in mm from the page's top left corner."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import Any, Final, Literal

from fpdf import FPDF
from fpdf.drawing import GraphicsContext
from fpdf.drawing_primitives import Transform
from fpdf.enums import MethodReturnValue
from fpdf.svg import SVGObject

from companion.games.drawing.paper import Paper
from companion.games.drawing.png import size_mm

_FONTS: Final[dict[Literal["", "B"], str]] = {"": "OpenSans-Regular.ttf", "B": "OpenSans-Bold.ttf"}
INK: Final = "#1c2126"
POINT_MM: Final = 25.4 / 72
LINE_HEIGHT: Final = 1.28
"""From line to line, in font sizes."""


class Canvas:
    """A PDF that is written page by page, with its fonts embedded."""

    def __init__(self, paper: Paper, title: str) -> None:
        self.paper = paper
        self._pdf = FPDF(unit="mm", format=(paper.width, paper.height))
        self._pdf.set_auto_page_break(auto=False)
        self._pdf.set_margin(0)
        # fpdf would set text in by a margin of its own; here a place is where the text begins.
        self._pdf.c_margin = 0
        self._pdf.set_title(title)
        self._pdf.set_creator("table companion")
        for style, name in _FONTS.items():
            with as_file(files("companion.screen") / "typefaces" / name) as file:
                self._pdf.add_font("Open Sans", style, file)
        self._drawings: dict[str, GraphicsContext] = {}

    def add_page(self) -> None:
        """Goes on to a fresh page."""
        self._pdf.add_page()

    def draw(self, svg: str, x: float = 0, y: float = 0) -> None:
        """Draws a picture with its top left corner there; nothing reaches over its edges."""
        # A deck has several cards of a face, and all have one back.
        if svg not in self._drawings:
            self._drawings[svg] = _DrawnOnce(SVGObject(svg).transform_to_page_viewport(self._pdf)[2])
        there = GraphicsContext()
        there.transform = Transform.translation(x, y)
        there.add_item(self._drawings[svg], clone=False)
        self._pdf.set_xy(0, 0)
        with self._pdf.rect_clip(x, y, *size_mm(svg)):
            # Not draw_to_page, which takes twice as long, because it copies the drawing first.
            self._pdf.draw_path(there, copy=False)

    @contextmanager
    def upside_down(self, x: float, y: float) -> Iterator[None]:
        """What is drawn and written meanwhile is turned by half about this point."""
        with self._pdf.rotation(180, x, y):
            yield

    def write(
        self,
        text: str,
        x: float,
        y: float,
        width: float,
        *,
        points: float,
        bold: bool = False,
        colour: str = INK,
        align: Literal["L", "C", "R"] = "L",
    ) -> float:
        """Writes lines of this width; returns where the next would begin."""
        self._pdf.set_font("Open Sans", "B" if bold else "", points)
        self._pdf.set_text_color(colour)
        self._pdf.set_xy(x, y)
        self._pdf.multi_cell(width, points * POINT_MM * LINE_HEIGHT, text, align=align)
        return self._pdf.get_y()

    def height_of(self, text: str, width: float, *, points: float, bold: bool = False) -> float:
        """How much room lines of this width take downwards."""
        self._pdf.set_font("Open Sans", "B" if bold else "", points)
        line = points * POINT_MM * LINE_HEIGHT
        height = self._pdf.multi_cell(width, line, text, align="L", dry_run=True, output=MethodReturnValue.HEIGHT)
        return float(str(height))

    def finished(self) -> bytes:
        """The file."""
        return bytes(self._pdf.output())


class _DrawnOnce(GraphicsContext):
    """A drawing that the PDF's words are found for once, wherever and however often it is drawn."""

    def __init__(self, drawing: GraphicsContext) -> None:
        super().__init__()
        self._drawing = drawing
        self._written: tuple[str, Any, Any] | None = None

    def render(self, *about: Any, **_: Any) -> tuple[str, Any, Any]:
        """The same each time: no drawing of ours goes on where another one ends."""
        if self._written is None:
            self._written = self._drawing.render(*about)
        return self._written
