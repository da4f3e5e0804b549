"""SVG as text: elements, paths and smooth outlines. All lengths in mm."""

import math
from collections.abc import Iterable, Sequence

XY = tuple[float, float]
"""A point in mm, x to the right, y downwards."""


def number(value: float) -> str:
    """A length as short as a hundredth of a mm allows."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def element(name: str, *inside: str, **attributes: str | float) -> str:
    """An element; underscores in the attributes' names stand for hyphens."""
    told = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{told}>{''.join(inside)}</{name}>" if inside else f"<{name}{told}/>"


def circle(x: float, y: float, radius: float, fill: str, **attributes: str | float) -> str:
    """A filled circle."""
    return element("circle", cx=x, cy=y, r=radius, fill=fill, **attributes)


def ellipse(x: float, y: float, across: float, down: float, fill: str, **attributes: str | float) -> str:
    """A filled ellipse with these half-axes."""
    return element("ellipse", cx=x, cy=y, rx=across, ry=down, fill=fill, **attributes)


def rectangle(x: float, y: float, width: float, height: float, fill: str, **attributes: str | float) -> str:
    """A filled rectangle from its top left corner."""
    return element("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def path(data: str, fill: str = "none", **attributes: str | float) -> str:
    """A path; without ``fill`` it is only stroked."""
    return element("path", d=data, fill=fill, **attributes)


def polygon(points: Iterable[XY], fill: str, **attributes: str | float) -> str:
    """A filled polygon."""
    return path(f"{polyline(points)}Z", fill, **attributes)


def stroke(points: Iterable[XY], colour: str, width: float, cap: str = "butt") -> str:
    """A line along these points."""
    return path(polyline(points), stroke=colour, stroke_width=width, stroke_linecap=cap, stroke_linejoin="round")


def group(*inside: str, **attributes: str | float) -> str:
    """Elements that are moved together."""
    return element("g", *inside, **attributes)


def placed(drawing: str, x: float, y: float, *, scale: float = 1, mirrored: bool = False) -> str:
    """A drawing around (0, 0) put elsewhere."""
    across = -scale if mirrored else scale
    resized = "" if across == scale == 1 else f" scale({number(across)} {number(scale)})"
    return group(drawing, transform=f"translate({number(x)} {number(y)}){resized}")


def turned(drawing: str, degrees: float, x: float = 0, y: float = 0) -> str:
    """A drawing turned clockwise about a point."""
    return group(drawing, transform=f"rotate({number(degrees)} {number(x)} {number(y)})")


def document(width: float, height: float, *inside: str) -> str:
    """A whole picture of this size."""
    size = {"width": f"{number(width)}mm", "height": f"{number(height)}mm"}
    box = f"0 0 {number(width)} {number(height)}"
    return element("svg", *inside, xmlns="http://www.w3.org/2000/svg", **size, viewBox=box) + "\n"


def moves(*parts: str | float) -> str:
    """Path data from its letters and lengths."""
    return " ".join(part if isinstance(part, str) else number(part) for part in parts)


def polyline(points: Iterable[XY]) -> str:
    """Path data straight from point to point."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def smooth(points: Sequence[XY]) -> str:
    """Path data of a closed outline that swings softly through these points (Catmull-Rom)."""
    count = len(points)
    parts = [f"M{number(points[0][0])} {number(points[0][1])}"]
    for index in range(count):
        before, start, end, after = (points[(index + step) % count] for step in (-1, 0, 1, 2))
        handles = (
            start[0] + (end[0] - before[0]) / 6,
            start[1] + (end[1] - before[1]) / 6,
            end[0] - (after[0] - start[0]) / 6,
            end[1] - (after[1] - start[1]) / 6,
            *end,
        )
        parts.append("C" + " ".join(map(number, handles)))
    return "".join(parts) + "Z"


def around(x: float, y: float, radii: Sequence[float], *, flat: float = 1, start_degrees: float = 0) -> list[XY]:
    """Points around a centre at these distances, the vertical ones times ``flat``."""
    step = 2 * math.pi / len(radii)
    first = math.radians(start_degrees)
    return [
        (x + radius * math.cos(first + step * index), y + flat * radius * math.sin(first + step * index))
        for index, radius in enumerate(radii)
    ]


def contents(svg: str) -> str:
    """What a document of ours holds, to be drawn inside another."""
    return svg[svg.index(">") + 1 : svg.rindex("</svg>")]
