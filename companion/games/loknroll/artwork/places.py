"""Houses, animals, ponds and what else stands in a landscape, each drawn around (0, 0); sizes in mm."""

from random import Random

from companion.games.drawing.svg import (
    around,
    circle,
    ellipse,
    group,
    number,
    path,
    polygon,
    rectangle,
    smooth,
    stroke,
    turned,
)
from companion.games.loknroll.artwork.plants import shadow

_INK = "#2a2522"


def _mirrored(rng: Random, drawing: str) -> str:
    return group(drawing, transform="scale(-1 1)") if rng.random() < 0.5 else drawing


def house(rng: Random, roof: str, roof_light: str, wall: str, *, lit: bool = False, smoke: str = "") -> str:
    """A cottage with a gable, a long roof and a chimney."""
    window = "#ffcf4d" if lit else "#6f8fa3"
    drawing = group(
        shadow(0.6, 4.3, 5.6, 1.0),
        rectangle(-1.6, -0.6, 6.4, 4.8, wall),
        rectangle(-5.0, 0.2, 3.4, 4.0, wall),
        polygon([(-5, 0.4), (-3.3, -2.9), (-1.6, 0.4)], wall),
        rectangle(-1.6, -0.4, 6.4, 4.6, "#000000", fill_opacity=0.08),
        rectangle(2.6, -4.6, 1.3, 2.6, "#8d5a45"),
        polygon([(-3.4, -3.6), (4.0, -3.6), (5.4, 0.5), (-1.5, 0.5)], roof),
        polygon([(-3.4, -3.6), (4.0, -3.6), (4.35, -2.6), (-2.9, -2.6)], roof_light),
        stroke([(-5.5, 0.7), (-3.35, -3.5), (-1.35, 0.6)], roof, 0.75, "round"),
        rectangle(-4.0, 2.0, 1.4, 2.2, "#6a4630"),
        *(rectangle(x, 1.5, 1.2, 1.2, window, stroke="#ffffff", stroke_width=0.25) for x in (-0.4, 2.4)),
        smoke,
    )
    return _mirrored(rng, drawing)


def cottage(rng: Random) -> str:
    """A cottage with a red or blue roof."""
    roof = rng.choice([("#b5442f", "#cf6149"), ("#3f6a88", "#5c89a8")])
    return house(rng, *roof, "#fff4e0")


def farmhouse(rng: Random) -> str:
    """A farmhouse with an ochre wall and a red roof."""
    return house(rng, "#a6362a", "#c4523f", "#ffe9bd")


def smoking_cottage(rng: Random) -> str:
    """A cottage whose chimney smokes."""
    smoke = circle(3.5, -5.3, 0.55, "#fff7ee") + circle(4.2, -5.9, 0.42, "#fff7ee")
    return house(rng, "#6b3a2a", "#86503c", "#f6dfc0", lit=True, smoke=smoke)


def snowy_cottage(rng: Random) -> str:
    """A cottage under snow with lit windows."""
    return house(rng, "#f7fbff", "#d5e5f1", "#9b5a42", lit=True)


def windmill(rng: Random) -> str:
    """A mill with four sails."""
    start = rng.uniform(10, 70)
    sail = group(
        rectangle(-0.15, -5.0, 0.3, 5, _INK), rectangle(0.1, -4.9, 1.2, 3.5, "#fff8e8", stroke=_INK, stroke_width=0.18)
    )
    sails = (turned(sail, start + 90 * quarter, 0, 0) for quarter in range(4))
    return group(
        shadow(0.5, 5.0, 3.2, 0.8),
        polygon([(-1.5, -1.4), (1.5, -1.4), (2.5, 5), (-2.5, 5)], "#f7ead2"),
        polygon([(0.2, -1.4), (1.5, -1.4), (2.5, 5), (0.6, 5)], "#e2cda8"),
        path("M-1.8 -1.3Q0 -4 1.8 -1.3Z", "#9a3b2a"),
        rectangle(-0.7, 3.0, 1.4, 2.0, "#6a4630"),
        group(*sails, circle(0, 0, 0.5, _INK), transform="translate(0 -1.2)"),
    )


def barn(rng: Random) -> str:
    """A red barn with a white cross on its door."""
    front = [(-4.2, 4.2), (-4.2, -0.6), (-2.6, -3.3), (0, -4.2), (2.6, -3.3), (4.2, -0.6), (4.2, 4.2)]
    drawing = group(
        shadow(0.6, 4.3, 5.0, 0.9),
        polygon(front, "#a93226"),
        polygon(
            [(0, -4.2), (2.6, -3.3), (4.2, -0.6), (4.2, 4.2), (1.9, 4.2), (1.9, -0.6)], "#000000", fill_opacity=0.1
        ),
        stroke([(-4.6, -0.2), (-2.7, -3.4), (0, -4.4), (2.7, -3.4), (4.6, -0.2)], "#5d4a42", 0.8, "round"),
        rectangle(-1.8, 0.6, 3.6, 3.6, "#8d271d", stroke="#fff4e4", stroke_width=0.4),
        stroke([(-1.8, 0.6), (1.8, 4.2)], "#fff4e4", 0.4),
        stroke([(1.8, 0.6), (-1.8, 4.2)], "#fff4e4", 0.4),
        rectangle(-0.8, -2.4, 1.6, 1.5, "#3d2b25", stroke="#fff4e4", stroke_width=0.3),
    )
    return _mirrored(rng, drawing)


def chapel(rng: Random) -> str:
    """A little church with a pointed tower."""
    drawing = group(
        shadow(0.4, 4.8, 4.6, 0.9),
        rectangle(-1.2, 0.6, 5.4, 4.1, "#f4ece0"),
        polygon([(-1.6, 0.8), (-0.6, -1.6), (3.6, -1.6), (4.7, 0.8)], "#7c4a3a"),
        rectangle(-3.8, -1.2, 3.0, 5.9, "#fffaf0"),
        polygon([(-4.1, -1.1), (-2.3, -5.4), (-0.5, -1.1)], "#5d7183"),
        rectangle(-2.8, 2.6, 1.0, 2.1, "#6a4630", rx=0.4),
        circle(-2.3, 0.4, 0.6, "#6f8fa3"),
        *(rectangle(x, 1.7, 0.9, 1.6, "#6f8fa3", rx=0.4) for x in (0.6, 2.5)),
    )
    return _mirrored(rng, drawing)


def pond(rng: Random) -> str:
    """A pond with two ducks."""
    shore = smooth(around(0, 0, [rng.uniform(4.6, 5.5) for _ in range(9)], flat=0.66))
    water = smooth(around(0, 0.1, [rng.uniform(4.0, 4.6) for _ in range(9)], flat=0.64))
    ducks = (
        group(
            ellipse(0, 0, 1.0, 0.58, "#ffffff"),
            circle(0.85, -0.6, 0.45, "#ffffff"),
            polygon([(1.2, -0.75), (1.8, -0.55), (1.2, -0.4)], "#f08a1d"),
            transform=f"translate({number(x)} {number(y)}) scale({facing} 1)",
        )
        for x, y, facing in ((-1.3, 0.4, 1), (1.4, -0.6, -1))
    )
    ripples = (
        stroke([(x - 0.8, y), (x + 0.8, y)], "#d5eef7", 0.25, "round")
        for x, y in ((-1.5, 1.5), (1.6, 0.9), (-0.5, -1.6))
    )
    return group(path(shore, "#e9ddb4"), path(water, "#5fb0d0"), *ripples, *ducks)


def frozen_pond(rng: Random) -> str:
    """A pond under ice, with the traces of skaters."""
    ice = smooth(around(0, 0, [rng.uniform(4.7, 5.4) for _ in range(9)], flat=0.66))
    inner = smooth(around(0, 0, [rng.uniform(4.0, 4.5) for _ in range(9)], flat=0.66))
    traces = ("M-2.6 .8Q-.5 -1.8 2.4 -.9", "M-2 -.9Q.6 1.9 2.6 .8", "M-.6 -1.6Q-1.2 .4 .4 1.8")
    return group(
        path(ice, "#ffffff"),
        path(inner, "#9fcbe4"),
        *(path(trace, stroke="#eaf6fc", stroke_width=0.28) for trace in traces),
    )


def sheep(rng: Random) -> str:
    """A sheep from the side."""
    wool = ((-0.8, 0.0, 0.8), (0.0, -0.3, 0.95), (0.8, 0.0, 0.8), (0.0, 0.3, 0.85))
    drawing = group(
        shadow(0, 1.5, 1.8, 0.4),
        *(rectangle(x, 0.5, 0.3, 1.0, _INK) for x in (-0.9, -0.3, 0.4, 0.9)),
        *(circle(x, y, size, "#fffdf7") for x, y, size in wool),
        ellipse(1.55, -0.25, 0.5, 0.62, _INK),
        ellipse(1.15, -0.6, 0.32, 0.16, _INK),
    )
    return _mirrored(rng, drawing)


def cow(rng: Random) -> str:
    """A cow with brown spots."""
    drawing = group(
        shadow(0, 2.0, 2.4, 0.5),
        *(rectangle(x, 0.7, 0.45, 1.3, "#e7dccb") for x in (-1.5, -0.9, 0.7, 1.3)),
        rectangle(-1.9, -1.1, 3.8, 2.1, "#fffaf0", rx=0.8),
        ellipse(-0.9, -0.4, 0.75, 0.55, "#7c4a2f"),
        ellipse(0.6, 0.15, 0.65, 0.5, "#7c4a2f"),
        ellipse(2.25, -0.95, 0.75, 0.65, "#7c4a2f"),
        ellipse(2.7, -0.75, 0.35, 0.38, "#f3c5b5"),
        stroke([(-1.9, -0.6), (-2.4, 0.7)], "#7c4a2f", 0.25, "round"),
    )
    return _mirrored(rng, drawing)


def hay_bale(rng: Random) -> str:
    """A round bale of hay."""
    drawing = group(
        shadow(0.3, 1.5, 2.1, 0.5),
        rectangle(-0.4, -1.5, 2.2, 3.0, "#cf962c", rx=0.9),
        circle(-0.5, 0, 1.5, "#eebb4a"),
        *(circle(-0.5, 0, size, "none", stroke="#b67f22", stroke_width=0.24) for size in (1.4, 0.9, 0.4)),
    )
    return _mirrored(rng, drawing)


def beehives(rng: Random) -> str:
    """Two painted beehives."""
    colours = rng.sample(["#f4f0df", "#7fb3cc", "#f2a65a"], 2)
    hives = (
        group(
            rectangle(-0.95, -0.9, 1.9, 2.2, colour),
            rectangle(-1.2, -1.4, 2.4, 0.6, "#7a5337"),
            rectangle(-0.5, 0.6, 1.0, 0.3, _INK),
            stroke([(-0.95, 0.1), (0.95, 0.1)], "#7a5337", 0.18),
            transform=f"translate({number(x)} 0)",
        )
        for x, colour in zip((-1.3, 1.3), colours, strict=True)
    )
    return group(shadow(0.2, 1.4, 2.6, 0.45), *hives)


def snowman(rng: Random) -> str:
    """A snowman with hat, carrot and scarf."""
    scarf = rng.choice(("#c8261d", "#2d7a4b", "#d9821a"))
    drawing = group(
        shadow(0.3, 3.0, 2.2, 0.6),
        circle(0, 1.5, 1.75, "#a9c6dc"),
        circle(-0.1, 1.4, 1.62, "#ffffff"),
        circle(0, -0.9, 1.25, "#a9c6dc"),
        circle(-0.08, -0.98, 1.15, "#ffffff"),
        rectangle(-1.1, -0.15, 2.2, 0.55, scarf, rx=0.25),
        rectangle(0.4, 0.1, 0.55, 1.3, scarf, rx=0.2),
        rectangle(-0.85, -3.2, 1.7, 1.4, _INK),
        rectangle(-1.3, -2.0, 2.6, 0.4, _INK, rx=0.15),
        circle(-0.4, -1.2, 0.17, _INK),
        circle(0.3, -1.2, 0.17, _INK),
        polygon([(-0.1, -0.95), (1.3, -0.65), (-0.1, -0.6)], "#ee7d1e"),
        *(circle(-0.1, y, 0.16, _INK) for y in (1.0, 1.7)),
        stroke([(-1.5, 0.9), (-2.8, -0.2)], "#57463f", 0.28, "round"),
        stroke([(1.5, 0.9), (2.7, 0.1)], "#57463f", 0.28, "round"),
    )
    return _mirrored(rng, drawing)


def sledge(rng: Random) -> str:
    """A wooden sledge."""
    drawing = group(
        path("M-2.2 .9H1.5Q2.5 .9 2.4 -.3", stroke="#7a5337", stroke_width=0.35, stroke_linecap="round"),
        rectangle(-2.0, -0.2, 3.8, 0.5, "#c8261d", rx=0.2),
        *(rectangle(x, 0.2, 0.3, 0.7, "#7a5337") for x in (-1.4, 0.9)),
    )
    return _mirrored(rng, drawing)


def fence(rng: Random) -> str:
    """A piece of white fence."""
    posts = (
        polygon([(x, 1.2), (x, -0.9), (x + 0.3, -1.25), (x + 0.6, -0.9), (x + 0.6, 1.2)], "#fffdf6")
        for x in (-2.6, -1.2, 0.2, 1.6)
    )
    bars = (rectangle(-2.9, y, 5.6, 0.4, "#e6dfcf") for y in (-0.5, 0.4))
    return turned(group(*bars, *posts), rng.uniform(-8, 8))


def deer(rng: Random) -> str:
    """A deer with antlers."""
    drawing = group(
        shadow(0, 2.1, 1.9, 0.4),
        *(rectangle(x, 0.4, 0.32, 1.7, "#70411f") for x in (-1.2, -0.7, 0.6, 1.05)),
        ellipse(0, 0, 1.6, 0.85, "#8c5429"),
        polygon([(0.8, -0.3), (1.3, -1.9), (1.9, -1.7), (1.5, 0.3)], "#8c5429"),
        ellipse(1.85, -1.95, 0.72, 0.42, "#8c5429"),
        circle(-1.5, -0.2, 0.32, "#fff3df"),
        path(
            "M1.5 -2.2L1.1 -3.4M1.3 -2.8L.6 -3.1M1.7 -2.2L2.1 -3.4M1.95 -2.9L2.6 -3.1",
            stroke="#5a3415",
            stroke_width=0.24,
            stroke_linecap="round",
        ),
    )
    return _mirrored(rng, drawing)
