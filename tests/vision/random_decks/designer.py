"""Decides all that a deck is made of, by chance, as a designer of one of the schools would."""

from __future__ import annotations

import math
from random import Random
from typing import Final, get_args

from tests.vision.random_decks.colours import apart, clearer, contrast, ink_on, is_dark, mixed, of_hls
from tests.vision.random_decks.grounds import OPEN
from tests.vision.random_decks.marks import placed_mark
from tests.vision.random_decks.numerals import WORDS
from tests.vision.random_decks.railway import BREAKS
from tests.vision.random_decks.scenery import Disc
from tests.vision.random_decks.schools import CARDS, LAYOUTS, SCHOOLS, Range, School
from tests.vision.random_decks.style import (
    BackKind,
    Bed,
    Frame,
    Ground,
    Mark,
    Numeral,
    Shield,
    Sleepers,
    Style,
    Track,
    UpMark,
)

_STARLIGHT: Final = "#f4efd0"
READABLE: Final = 3.2
"""The least contrast of a numeral: what is read at arm's length in the light of a room."""
_SMALLEST_MM: Final = 3.5
_BUSY: Final = {
    "hatching",
    "lattice",
    "dots",
    "rays",
    "fields",
    "hills",
    "woodcut",
    "grass",
    "boards",
    "stone",
    "watercolour",
}
"""Grounds on which a bare numeral drowns."""
_LIGHTNESS: Final = {"light": (0.8, 0.95), "middle": (0.45, 0.7), "deep": (0.25, 0.4), "dark": (0.06, 0.24)}


def random_style(seed: int) -> Style:
    """The style of the deck with this number; the same number gives the same style."""
    random = Random(f"style {seed}")
    (school,) = random.choices(SCHOOLS, [school.often for school in SCHOOLS])
    (card_mm,) = random.choices([size for size, _ in CARDS], [often for _, often in CARDS])
    grounds = _grounds(school, random)
    base = grounds[0].base
    line = ink_on(base, 3.0, random, saturation=0.5)
    track = _track(school, card_mm, grounds, line, random)
    numeral, marks = _numeral(school, card_mm, random)
    shield = _shield(school, grounds, marks, random)
    inks, fills = _inks(school, grounds, shield, line, random)
    style = Style(
        school=school.name,
        card_mm=card_mm,
        ports=dict.fromkeys("NESW", 0.0),
        grounds=grounds,
        chaos_ground=_chaos_ground(school, grounds, inks, shield, random),
        frame=_frame(school, base, line, random),
        track=track,
        numeral=numeral,
        marks=marks,
        shield=shield,
        inks=inks,
        fills=fills,
        line=line,
        alarm=clearer(of_hls(random.choice((0.0, 0.02, 0.06, 0.95, random.random())), 0.5, 0.8), base, 2.2),
        scenery=random.choice(school.scenery),
        scenery_colours=_scenery_colours(base, random),
        scenery_by=random.choice(("face", "face", "value", "shape", "deck")),
        crowd=random.choice((6, 15, 40)),
        breaks=random.choice(BREAKS),
        chaos=random.choice(school.chaos),
        up_mark="none",
        reminder=random.random() < 0.18,
        back=random.choice(get_args(BackKind)),
        grain=random.uniform(*school.grain),
        mottling=random.uniform(*school.mottling),
        specks=random.uniform(0.02, 0.1) if random.random() < school.specks else 0.0,
    )
    style = style._replace(up_mark=_up_mark(style, random))
    return style._replace(ports=_free_ports(style, random))


def _between(ends: Range, random: Random) -> float:
    """A length between two, small ones as often as large ones."""
    return float(ends[0] * (ends[1] / ends[0]) ** random.random())


def _grounds(school: School, random: Random) -> tuple[Ground, ...]:
    kind, tone = random.choice(school.grounds), random.choice(school.tones)
    if kind == "night":
        tone = "dark"
    hue, saturation = random.uniform(*school.hues), random.uniform(*school.saturation)
    lightness = random.uniform(*_LIGHTNESS[tone])
    if tone == "light":
        saturation *= 0.8
    step, weight = random.uniform(1.2, 4.5), random.uniform(0.15, 0.7)
    degrees = random.choice((0, 90, 45, -45, random.uniform(0, 90)))
    strength = _between(school.ground_contrast, random)
    other_hue = hue + random.choice((0.0, random.gauss(0, 0.06), random.gauss(0, 0.25)))
    is_one = random.random() < school.one_ground
    turn = random.choice((0.25, -0.25, random.uniform(0.06, 0.2)))
    made = []
    for value in range(4):
        shift = 0.0 if is_one else turn * value
        base = of_hls(hue + shift, lightness, saturation)
        away, back = ("#ffffff", "#000000") if is_dark(base) else ("#000000", "#ffffff")
        second = clearer(of_hls(other_hue + shift, lightness, saturation), base, strength, away)
        third = mixed(base, back, 0.35) if kind in OPEN else mixed(second, away, 0.3)
        if kind == "night":
            third = _STARLIGHT
        made.append(Ground(kind, base, second, third, step, weight, degrees))
    return tuple(made)


def _track(
    school: School, card_mm: tuple[float, float], grounds: tuple[Ground, ...], line: str, random: Random
) -> Track:
    base = grounds[0].base
    size = min(card_mm) / 63
    rails = random.choice(school.rails)
    rail_mm = _between(school.rail_mm, random)
    gauge = random.uniform(5.0, 12.0) * size if rails == 2 else 0.0
    if rails == 1:
        rail_mm = max(1.0, 1.8 * rail_mm)
    has_sleepers = random.random() >= school.bare_of_sleepers
    has_bed = random.random() < school.ballast
    width = (gauge or random.uniform(4, 8) * size) * random.uniform(1.25, 1.9)
    bed = _bed(base, line, gauge + rail_mm, 3 if has_sleepers else 1, random) if has_bed else None
    under = base if bed is None else bed.colour
    colour = _rail_colour(school, [ground.base for ground in grounds] if bed is None else [under], line, random)
    sleepers = _sleepers(school, (colour, line), under, width, random) if has_sleepers else None
    look = random.choice(school.looks)
    if look == "hairlines":
        second = under
    else:
        second = mixed(colour, "#000000" if is_dark(under) else "#ffffff", random.uniform(0.5, 0.9))
    busy = grounds[0].kind in _BUSY and bed is None
    short_mm = random.uniform(2.0, 6.0) if random.random() < school.short else 0.0
    cleared_mm = random.uniform(0.3, 1.5) if busy and random.random() < 0.6 else 0.0
    return Track(rails, gauge, rail_mm, look, colour, second, sleepers, bed, short_mm, cleared_mm)


def _bed(base: str, line: str, rails_mm: float, room_mm: float, random: Random) -> Bed:
    """Darker, lighter or otherwise coloured than the ground."""
    tint = random.choice(("#000000", "#ffffff", of_hls(random.random(), 0.5, 0.3)))
    colour = mixed(base, tint, random.uniform(0.15, 0.45))
    edge = mixed(colour, line, random.uniform(0.15, 0.6))
    return Bed(rails_mm * random.uniform(1.15, 1.5) + room_mm, colour, edge, random.random() < 0.4)


def _sleepers(school: School, inks: tuple[str, str], under: str, length_mm: float, random: Random) -> Sleepers:
    """In the ink of the rails, that of lines, a paler one or that of wood."""
    rail, line = inks
    wide = _between(school.sleeper_mm, random)
    tint = random.choice((rail, rail, line, mixed(rail, under, 0.4), of_hls(0.07, random.uniform(0.25, 0.5), 0.4)))
    loose = random.choice((0.0, 0.0, random.uniform(0.02, 0.12)))
    return Sleepers(wide + random.uniform(1.4, 6.5), length_mm, wide, clearer(tint, under, 1.3), loose)


def _rail_colour(school: School, under: list[str], line: str, random: Random) -> str:
    """An ink for the rails that is seen on each of these colours."""
    least = _between(school.rail_contrast, random)
    coloured = of_hls(random.random(), random.uniform(0.2, 0.8), 0.6)
    inks = {"line": line, "white": "#ffffff", "black": "#101010", "coloured": coloured}
    wanted = inks[random.choice(school.rail_inks)]
    worst = min(contrast(wanted, ground) for ground in under)
    if worst < least or school.rail_contrast[1] < worst:
        away = "#ffffff" if is_dark(under[0]) else "#000000"
        middle = mixed(under[0], wanted, 0.1)
        steps = (mixed(middle, away, step / 25) for step in range(26))
        wanted = next((ink for ink in steps if min(contrast(ink, ground) for ground in under) >= least), away)
    if min(contrast(wanted, ground) for ground in under) < 1.5:
        return max(("#000000", "#ffffff"), key=lambda ink: min(contrast(ink, ground) for ground in under))
    return wanted


def _free_ports(style: Style, random: Random) -> dict[str, float]:
    """Ports at which no mark lies on the rails; in the middles of the edges where others are not found."""
    discs = [
        placed_mark(style, mark, value, style.line).disc
        for value in (1, 2, 3, 4)
        for mark in style.marks
        if mark.place not in {"n", "s", "middle"}
    ]
    for _ in range(12):
        ports = _ports(style, random)
        if all(_is_free(style, edge, offset, discs) for edge, offset in ports.items()):
            return ports
    return dict.fromkeys("NESW", 0.0)


def _is_free(style: Style, edge: str, offset: float, discs: list[Disc]) -> bool:
    """Whether the first of the track from an edge is off these discs."""
    width, height = style.card_mm
    along = offset + (width if edge in "NS" else height) / 2
    far = {"N": 0.0, "W": 0.0, "E": width, "S": height}[edge]
    steps = [abs(far - depth) for depth in (0.0, 4.0, 8.0, 12.0)]
    spots = [(along, step) if edge in "NS" else (step, along) for step in steps]
    half = style.track.width_mm / 2
    return all(math.dist(spot, (x, y)) > radius + half for spot in spots for x, y, radius in discs)


def _ports(style: Style, random: Random) -> dict[str, float]:
    """From the middle of each edge: none, the sides, each edge otherwise, or the top, so that straight tracks swing."""
    width, height = style.card_mm
    reach = {"N": width, "S": width, "E": height, "W": height}
    most = {edge: max(0.0, side / 2 - style.track.width_mm / 2 - 9) for edge, side in reach.items()}
    kind = random.choice(("middle", "middle", "sides", "each", "swing"))
    ports = dict.fromkeys("NESW", 0.0)
    if kind == "sides":
        ports["E"] = ports["W"] = random.uniform(-0.6, 0.6) * most["E"]
    elif kind == "each":
        ports = {edge: random.uniform(-0.8, 0.8) * most[edge] for edge in "NESW"}
    elif kind == "swing":
        ports["N"] = random.choice((-1, 1)) * random.uniform(0.4, 1.0) * most["N"]
    return {edge: round(offset, 1) for edge, offset in ports.items()}


def _numeral(school: School, card_mm: tuple[float, float], random: Random) -> tuple[Numeral, tuple[Mark, ...]]:
    """How values are written, and where."""
    script = random.choice(school.scripts)
    height = _between(school.height_mm, random)
    layout = random.choice(school.layouts)
    if script == "words":
        height = min(height, 6.5)
    if script == "pips":
        height = max(height, 6.0)
    if "middle" not in layout:
        # In a corner or at a side there is only so much room beside the track.
        height = min(height, 0.25 * min(card_mm))
    numeral = Numeral(
        script,
        random.choice(school.hands),
        random.choice(school.numeral_looks),
        max(_SMALLEST_MM, height),
        _between(school.weight, random),
        random.choice((1.0, 1.0, random.uniform(0.7, 1.3))),
        random.choice((0.0, 0.0, 0.0, random.uniform(0.1, 0.3))),
        random.choice(sorted(WORDS)),
    )
    if numeral.height_mm < 7:
        # Cut up or hollowed out, small numerals would not be read.
        numeral = numeral._replace(look="filled", weight=max(numeral.weight, 0.45 / numeral.height_mm))
    places = (
        Mark(place, max(scale, _SMALLEST_MM / numeral.height_mm), turned) for place, turned, scale in LAYOUTS[layout]
    )
    return numeral, tuple(places)


def _shield(school: School, grounds: tuple[Ground, ...], marks: tuple[Mark, ...], random: Random) -> Shield:
    on_track = any(mark.place in {"middle", "n", "s"} for mark in marks)
    while True:
        shield = random.choice(school.shields)
        if shield != "none" or not (grounds[0].kind in _BUSY or on_track):
            return shield
        if set(school.shields) <= {"none"}:
            return "halo"


def _inks(
    school: School, grounds: tuple[Ground, ...], shield: Shield, line: str, random: Random
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The colours of each value's numeral and of its shield."""
    is_one = random.random() < school.one_ink
    bases = [ground.base for ground in grounds]
    own = apart(4, random, random.uniform(0.3, 0.6), random.uniform(0.5, 0.9))
    least = random.uniform(READABLE, 8.0)
    if shield in {"none", "patch", "halo", "ring"}:
        colours = (line,) * 4 if is_one else own
        return tuple(clearer(ink, base, least) for ink, base in zip(colours, bases, strict=True)), own
    one = random.choice((line, "#ffffff", "#111111", own[0]))
    fills = (one,) * 4 if is_one else own
    fills = tuple(
        fill if contrast(fill, base) > 1.25 else clearer(fill, base, 1.6)
        for fill, base in zip(fills, bases, strict=True)
    )
    inks = tuple(clearer(random_ink, fill, least) for random_ink, fill in zip(fills, fills, strict=True))
    return inks, fills


def _chaos_ground(
    school: School, grounds: tuple[Ground, ...], inks: tuple[str, ...], shield: Shield, random: Random
) -> Ground | None:
    """Another ground for chaos cards, of a brightness on which all values are still read."""
    if random.random() >= school.chaos_ground:
        return None
    hue = random.random()
    dark = is_dark(grounds[0].base)
    base = of_hls(hue, random.uniform(*_LIGHTNESS["dark" if dark else "light"]), random.uniform(0.1, 0.6))
    if shield in {"none", "patch", "halo", "ring"} and min(contrast(ink, base) for ink in inks) < READABLE:
        return None
    second = mixed(base, "#ffffff" if dark else "#000000", 0.12)
    return grounds[0]._replace(base=base, second=second, third=mixed(base, second, 0.5))


def _frame(school: School, base: str, line: str, random: Random) -> Frame | None:
    if random.random() >= school.frames:
        return None
    is_margin = random.random() < 0.45
    colour = random.choice((line, mixed(base, line, 0.5), "#ffffff", "#15151a", of_hls(random.random(), 0.3, 0.5)))
    inset, width = random.uniform(1.2, 3.6), random.uniform(0.25, 1.0)
    return Frame(inset, width, random.choice((0.0, 1.5, 3.0, 5.0)), colour, is_margin, random.random() < 0.25)


def _scenery_colours(base: str, random: Random) -> tuple[str, str]:
    one = of_hls(random.choice((0.3, 0.27, random.random())), random.uniform(0.2, 0.6), random.uniform(0.2, 0.7))
    return clearer(one, base, random.uniform(1.2, 2.5)), mixed(one, random.choice(("#ffffff", "#3a2a1a")), 0.5)


def _up_mark(style: Style, random: Random) -> UpMark:
    """Something that tells up from down, where it is not told by marks in different places at top and bottom.

    A numeral alone does not tell it: roman and counted ones look alike upside down, pips nearly always.
    """
    has_turned = any(mark.is_turned and mark.scale > 0.9 for mark in style.marks)
    is_middle = all(mark.place == "middle" for mark in style.marks)
    tells = not has_turned and not is_middle
    if tells and random.random() < 0.7:
        return "none"
    return random.choice(("caption", "emblem", "signature", "footer"))
