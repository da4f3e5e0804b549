"""Trees, flowers and crops of the four seasons, each drawn around (0, 0); sizes in mm."""

from random import Random

from companion.games.drawing.svg import (
    XY,
    around,
    circle,
    ellipse,
    group,
    moves,
    number,
    path,
    polygon,
    rectangle,
    smooth,
    stroke,
    turned,
)

_TRUNK = "#6d4a33"


def shadow(x: float, y: float, across: float, down: float) -> str:
    """A soft dark patch on the ground."""
    return ellipse(x, y, across, down, "#15202a", fill_opacity=0.17)


def crown(rng: Random, x: float, y: float, radius: float, colours: tuple[str, str, str]) -> str:
    """Foliage in a shade, a colour and a light, the light from the top left."""
    dark, middle, light = colours
    blob = smooth(around(x, y, [radius * rng.uniform(0.92, 1.06) for _ in range(9)]))
    inner = smooth(
        around(x - 0.12 * radius, y - 0.14 * radius, [0.8 * radius * rng.uniform(0.9, 1.06) for _ in range(8)])
    )
    lights = (
        ellipse(x + right * radius, y + down * radius, 0.24 * radius, 0.18 * radius, light)
        for right, down in ((-0.42, -0.38), (0.02, -0.5), (-0.2, -0.02))
    )
    return group(path(blob, dark), path(inner, middle), *lights)


def round_tree(rng: Random, colours: tuple[str, str, str], fruit: str | None = None) -> str:
    """A tree with a round crown, about 8 mm tall."""
    trunk = rectangle(-0.55, 0.6, 1.1, 3.2, _TRUNK, rx=0.4)
    fruits = ""
    if fruit:
        fruits = group(
            *(
                circle(right, down, 0.36, fruit)
                for right, down in ((-1.5, -0.3), (1.2, -1.9), (0.4, 0.3), (1.8, -0.2), (-0.4, -2.6), (-1.9, -1.8))
            )
        )
    return group(shadow(0.7, 3.7, 2.7, 0.8), trunk, crown(rng, 0, -1.1, 2.9, colours), fruits)


def blossom_tree(rng: Random) -> str:
    """An apple or cherry tree in blossom."""
    return round_tree(rng, rng.choice([("#dc7d9d", "#f4a9c0", "#fde0e9"), ("#d9a3bd", "#f5cfdf", "#ffffff")]))


def green_tree(rng: Random) -> str:
    """A tree in fresh leaf."""
    return round_tree(rng, ("#4d8a3a", "#6aab4a", "#93cb68"))


def fruit_tree(rng: Random) -> str:
    """A summer tree with red fruit."""
    return round_tree(rng, ("#38702f", "#4f8f3d", "#7cb458"), "#d8341f")


def rusty_tree(rng: Random) -> str:
    """An autumn tree, orange, red or yellow."""
    colours = [("#a8431b", "#d2641f", "#f08f3c"), ("#86291a", "#b23c22", "#d9623d"), ("#bf8414", "#e3a923", "#f8d05a")]
    return round_tree(rng, rng.choice(colours))


def poplar(rng: Random) -> str:
    """A slender dark tree, as stands along roads in the south."""
    tall = rng.uniform(0.92, 1.05)
    body = [(0.0, -4.6 * tall), (1.25, -1.8), (1.35, 1.2), (0.5, 2.9), (-0.5, 2.9), (-1.35, 1.2), (-1.25, -1.8)]
    light = [(-0.25, -3.4 * tall), (0.2, -1.4), (0.0, 1.0), (-0.75, 1.6), (-0.8, -1.2)]
    trunk = rectangle(-0.4, 2.2, 0.8, 2.0, _TRUNK, rx=0.3)
    return group(shadow(0.6, 4, 1.9, 0.6), trunk, path(smooth(body), "#2f6634"), path(smooth(light), "#4c8b46"))


def snowy_fir(rng: Random) -> str:
    """A fir with snow on three tiers of branches."""
    tiers = []
    for top, wide, deep in ((0.1, 3.1, 3.0), (-2.1, 2.5, 2.8), (-4.2, 1.8, 2.7)):
        lean = rng.uniform(-0.15, 0.15)
        tiers.append(polygon([(lean, top), (wide, top + deep), (-wide, top + deep)], "#2b5f57"))
        snow: list[XY] = [
            (lean, top),
            (0.62 * wide, top + 0.62 * deep),
            (0.3 * wide, top + 0.5 * deep),
            (0.05, top + 0.75 * deep),
        ]
        snow += [(-0.35 * wide, top + 0.52 * deep), (-0.78 * wide, top + 0.8 * deep)]
        tiers.append(polygon(snow, "#ffffff"))
    return group(shadow(0.7, 4.1, 2.8, 0.7), rectangle(-0.5, 2.9, 1, 1.4, _TRUNK), *tiers)


def bare_tree(rng: Random) -> str:
    """A leafless tree with snow on its boughs."""
    boughs = [
        [(0.0, 3.8), (0.0, -0.4)],
        [(0.0, 1.2), (-1.9, -1.4), (-2.2, -2.9)],
        [(0.0, 0.6), (1.8, -1.2), (2.3, -2.8)],
        [(0.0, -0.4), (-0.6, -3.6)],
        [(0.0, -0.2), (1.0, -3.2)],
        [(-1.9, -1.4), (-3.0, -1.9)],
        [(1.8, -1.2), (2.9, -1.5)],
    ]
    wood = (stroke(bough, "#57463f", 0.9 if index == 0 else 0.55, "round") for index, bough in enumerate(boughs))
    snow = (
        ellipse(x, y, 0.75, 0.42, "#ffffff")
        for x, y in ((-2.2, -3.0), (2.3, -2.9), (-0.6, -3.7), (1.0, -3.3), (-3.0, -2.1), (2.9, -1.7))
    )
    drawing = group(shadow(0.5, 3.9, 2, 0.6), *wood, *snow)
    return group(drawing, transform="scale(-1 1)") if rng.random() < 0.5 else drawing


def bush(rng: Random, colours: tuple[str, str, str]) -> str:
    """A low round bush."""
    return group(shadow(0.3, 1.2, 1.9, 0.5), crown(rng, -0.6, 0.1, 1.2, colours), crown(rng, 0.8, 0.3, 1.0, colours))


def tuft(rng: Random, colour: str) -> str:
    """Three blades of grass."""
    blades = ([(0.0, 0.6), (x + rng.uniform(-0.2, 0.2), -0.8 + abs(x) * 0.4)] for x in (-0.7, 0.0, 0.7))
    return group(*(stroke(blade, colour, 0.32, "round") for blade in blades))


def flower(rng: Random, petals: str, heart: str, size: float = 1.0) -> str:
    """A flower seen from above."""
    start = rng.uniform(0, 72)
    leaves = (circle(x, y, 0.48 * size, petals) for x, y in around(0, 0, [0.58 * size] * 5, start_degrees=start))
    return group(*leaves, circle(0, 0, 0.42 * size, heart))


def tulips(rng: Random) -> str:
    """A bed of tulips in rows."""
    drawn = [path(smooth(around(0, 0, [5.6, 5.2, 5.4, 5.6, 5.3, 5.2], flat=0.62)), "#7fb04e")]
    colours = rng.sample(["#e0416b", "#f7c325", "#f47b3c", "#a553b5", "#ffffff"], 3)
    for row, (down, half) in enumerate(((-1.9, 3.6), (0.0, 4.6), (1.9, 3.6))):
        drawn += [
            path(
                f"M{number(x)} {number(down + 0.7)}v-1.5m-.55-.1q.55 1.5 1.1 0l-.25-.8l-.3.4l-.3-.4z",
                colours[row],
                stroke="#3f7b2d",
                stroke_width=0.16,
            )
            for x in (step * 1.15 - half + 0.2 for step in range(int(2 * half / 1.15) + 1))
        ]
    return group(*drawn)


def sunflowers(rng: Random) -> str:
    """A patch of sunflowers."""
    drawn = [path(smooth(around(0, 0.4, [5.4, 5.1, 5.6, 5.3, 5.6, 5.1], flat=0.7)), "#7c9a38")]
    for down, half in ((-2.0, 3.2), (0.1, 4.2), (2.2, 3.2)):
        count = round(half / 1.1)
        for step in range(count):
            x = -half + (step + 0.5) * 2 * half / count + rng.uniform(-0.2, 0.2)
            petals = (turned(ellipse(0, -0.95, 0.34, 0.62, "#ffb90f"), 30 * turn) for turn in range(12))
            drawn.append(
                group(
                    *petals,
                    circle(0, 0, 0.72, "#5a3415"),
                    circle(-0.15, -0.15, 0.34, "#7d4b20"),
                    transform=f"translate({number(x)} {number(down)})",
                )
            )
    return group(*drawn)


def crop_rows(rng: Random, colours: tuple[str, str], marks: str) -> str:
    """A field of rows that follow each other, with rounded corners, about 11 mm by 8 mm."""
    across, down, rows = 5.4, 4.0, 7

    def half(y: float) -> float:
        return float(across * max(0.0, 1 - abs(y / down) ** 3.5) ** (1 / 3.5))

    drawn, deep = [], 2 * down / rows
    for row in range(rows):
        levels = [row * deep - down + deep * step / 4 for step in range(5)]
        right = [(half(y), y) for y in levels]
        drawn.append(polygon(right + [(-x, y) for x, y in reversed(right)], colours[row % 2]))
        reach, y = half(levels[2]) - 0.7, levels[2]
        places = (rng.uniform(-reach, reach) for _ in range(5))
        drawn += [stroke([(x, y + 0.28), (x + 0.14, y - 0.28)], marks, 0.26, "round") for x in places]
    return turned(group(*drawn), rng.choice((-24, -14, 14, 24)))


def wheat(rng: Random) -> str:
    """A field of ripe wheat."""
    return crop_rows(rng, ("#dfa02a", "#efb63c"), "#a86f12")


def ploughed(rng: Random) -> str:
    """A ploughed field."""
    return crop_rows(rng, ("#8a5030", "#a5653d"), "#c98a5c")


def young_crop(rng: Random) -> str:
    """Young green rows on brown soil."""
    return crop_rows(rng, ("#8d7047", "#79b04a"), "#4b8430")


def vines(rng: Random) -> str:
    """Rows of vines in autumn colours."""
    drawn = [path(smooth(around(0, 0, [5.7, 5.3, 5.5, 5.8, 5.4, 5.3], flat=0.84)), "#efc48c")]
    colours = ("#8f2f1d", "#b8452a", "#7a2a3a")
    for index, (down, half) in enumerate(((-3.0, 3.1), (-1.0, 4.7), (1.0, 4.7), (3.0, 3.3))):
        count = round(2 * half / 1.15)
        leaves_at = (-half + (step + 0.5) * 2 * half / count for step in range(count))
        drawn.append(stroke([(-half, down + 0.6), (half, down + 0.6)], "#b5763f", 0.5, "round"))
        drawn += [
            circle(
                x,
                down + rng.uniform(-0.12, 0.12),
                rng.uniform(0.68, 0.84),
                colours[(index + rng.choice((0, 0, 0, 1))) % 3],
            )
            for x in leaves_at
        ]
    return turned(group(*drawn), rng.choice((-12, 12)))


def pumpkins(rng: Random) -> str:
    """Three pumpkins among leaves."""
    drawn = [shadow(0, 1.3, 2.7, 0.6)]
    for x, y, size in ((-1.4, 0.5, 1.0), (1.3, 0.6, 1.1), (0.0, -0.5, 0.85)):
        drawn.append(
            group(
                ellipse(0, 0, 1.35, 1.05, "#cf5a12"),
                ellipse(-0.45, 0, 0.6, 0.98, "#ee7d1e"),
                ellipse(0.5, 0, 0.55, 0.95, "#e86f16"),
                rectangle(-0.18, -1.5, 0.36, 0.7, "#4d6b22"),
                transform=f"translate({number(x)} {number(y)}) scale({number(size)})",
            )
        )
    leaf = rng.choice((-2.4, 2.4))
    return group(*drawn, ellipse(leaf, 1.1, 0.7, 0.4, "#6d8a2e"))


def mushrooms(rng: Random) -> str:
    """Two toadstools."""
    caps = []
    for x, size in ((-0.6, 1.0), (0.9, rng.uniform(0.6, 0.8))):
        stem = rectangle(-0.28, -0.1, 0.56, 1.1, "#fff3df", rx=0.2)
        cap = path("M-1.05 0Q-0.9 -1.35 0 -1.35Q0.9 -1.35 1.05 0Z", "#c1271b")
        dots = circle(-0.35, -0.6, 0.2, "#fff") + circle(0.4, -0.45, 0.17, "#fff") + circle(0.1, -1.0, 0.14, "#fff")
        caps.append(group(stem, cap, dots, transform=f"translate({number(x)} {number(0.2)}) scale({number(size)})"))
    return group(*caps)


def leaves(rng: Random) -> str:
    """Some fallen leaves."""
    colours = ("#b5401c", "#e8a020", "#8c2b18")
    drawn = []
    for x, y in ((-0.8, 0.2), (0.5, -0.5), (0.7, 0.7)):
        leaf = ellipse(0, 0, 0.62, 0.3, rng.choice(colours))
        drawn.append(group(turned(leaf, rng.uniform(0, 180)), transform=f"translate({number(x)} {number(y)})"))
    return group(*drawn)


def snowdrift(rng: Random) -> str:
    """A small heap of snow."""
    wide = rng.uniform(1.5, 1.9)
    half, most = 0.5 * wide, 0.8 * wide
    shade = path(moves("M", -wide, ".6 Q", -half, "-.9 0 -.4 Q", half, "-.9", wide, ".6 Z"), "#a9c6dc")
    light = path(
        moves("M", -wide, ".4 Q", -half, "-.95 0 -.5 Q", half, "-.95", most, ".3 Q 0 .1", -wide, ".4 Z"), "#ffffff"
    )
    return group(shade, light)


def snowflake(rng: Random) -> str:
    """A six-armed star."""
    size = rng.uniform(0.8, 1.1)
    arms = (
        stroke([(x, y), (-x, -y)], "#ffffff", 0.3, "round") for x, y in around(0, 0, [size] * 6, start_degrees=30)[:3]
    )
    return group(*arms)
