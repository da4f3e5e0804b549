"""Schools of design: from what each chooses. The first is free, and chooses from all there is."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from tests.vision.random_decks.style import (
    Chaos,
    GroundKind,
    Hand,
    NumeralLook,
    Place,
    RailLook,
    Scenery,
    Script,
    Shield,
)

Range = tuple[float, float]
Tone = Literal["light", "middle", "deep", "dark"]
RailInk = Literal["line", "white", "black", "coloured"]
Layout = tuple[tuple[Place, bool, float], ...]
"""Each mark's place, whether it is upside down, and its size compared to the first."""

LAYOUTS: Final[dict[str, Layout]] = {
    "one corner": (("nw", False, 1.0),),
    "other corner": (("ne", False, 1.0),),
    "low corner": (("se", False, 1.0),),
    "two corners": (("nw", False, 1.0), ("se", True, 1.0)),
    "two upright": (("nw", False, 1.0), ("se", False, 1.0)),
    "large and small": (("nw", False, 1.0), ("se", True, 0.6)),
    "four corners": (("nw", False, 1.0), ("ne", False, 1.0), ("sw", True, 1.0), ("se", True, 1.0)),
    "side": (("w", False, 1.0),),
    "both sides": (("w", False, 1.0), ("e", True, 1.0)),
    "top": (("n", False, 1.0),),
    "middle": (("middle", False, 1.0),),
    "middle and corners": (("middle", False, 1.0), ("nw", False, 0.45), ("se", True, 0.45)),
}
CARDS: Final = (
    ((63.0, 88.0), 10), ((59.0, 92.0), 3), ((56.0, 87.0), 3), ((57.0, 89.0), 2), ((70.0, 110.0), 2),
    ((44.0, 68.0), 2), ((54.0, 86.0), 2), ((50.0, 75.0), 1), ((68.0, 120.0), 1), ((70.0, 70.0), 1), ((75.0, 105.0), 1),
)  # fmt: skip
"""Width and height in mm, and how often each is chosen."""


class School(NamedTuple):
    """From what a designer of this school chooses; a kind named twice is chosen twice as often."""

    name: str
    often: int = 1
    grounds: tuple[GroundKind, ...] = get_args(GroundKind)
    tones: tuple[Tone, ...] = ("light", "light", "middle", "deep", "dark")
    hues: Range = (0.0, 1.0)
    saturation: Range = (0.05, 0.8)
    ground_contrast: Range = (1.06, 1.7)
    """Of a pattern's second colour on the first."""
    one_ground: float = 0.6
    """The share of decks whose values have the same ground."""
    rails: tuple[int, ...] = (1, 2, 2, 2)
    looks: tuple[RailLook, ...] = get_args(RailLook)
    rail_mm: Range = (0.4, 2.4)
    rail_inks: tuple[RailInk, ...] = ("line", "line", "white", "black", "coloured")
    rail_contrast: Range = (1.6, 8.0)
    bare_of_sleepers: float = 0.2
    sleeper_mm: Range = (0.35, 2.6)
    ballast: float = 0.4
    short: float = 0.22
    """The share of decks whose rails end before the card's edge."""
    frames: float = 0.55
    scripts: tuple[Script, ...] = ("arabic", "arabic", "arabic", "arabic", "roman", "roman", "counted", "pips", "words")
    hands: tuple[Hand, ...] = get_args(Hand)
    numeral_looks: tuple[NumeralLook, ...] = ("filled", "filled", "filled", "filled", "hollow", "stencilled")
    height_mm: Range = (3.5, 25.0)
    weight: Range = (0.06, 0.26)
    layouts: tuple[str, ...] = tuple(LAYOUTS)
    shields: tuple[Shield, ...] = get_args(Shield)
    one_ink: float = 0.45
    scenery: tuple[Scenery, ...] = get_args(Scenery)
    chaos: tuple[Chaos, ...] = get_args(Chaos)
    chaos_ground: float = 0.35
    """The share of decks whose chaos cards have a ground of their own."""
    mottling: Range = (0.0, 0.03)
    grain: Range = (0.0, 0.04)
    specks: float = 0.12


SCHOOLS: Final = (
    School("free", often=8),
    School(
        "cream with roman numerals",
        grounds=("plain", "waves", "linen", "watercolour"),
        tones=("light",),
        hues=(0.08, 0.13),
        saturation=(0.25, 0.55),
        ground_contrast=(1.05, 1.25),
        one_ground=1.0,
        looks=("plain", "hairlines"),
        rail_mm=(0.4, 1.1),
        rail_contrast=(4.0, 8.0),
        ballast=0.0,
        scripts=("roman",),
        hands=("footed", "pen", "bold"),
        height_mm=(5.0, 11.0),
        weight=(0.07, 0.14),
        shields=("none", "patch"),
        one_ink=1.0,
        layouts=("two corners", "two upright", "one corner"),
        scenery=("none", "none", "sprigs"),
        chaos_ground=0.0,
    ),
    School(
        "one blue and white rails",
        grounds=("plain", "plain", "lattice", "contours"),
        tones=("deep",),
        hues=(0.55, 0.66),
        saturation=(0.45, 0.75),
        ground_contrast=(1.05, 1.2),
        one_ground=1.0,
        rails=(2,),
        looks=("plain",),
        rail_inks=("white",),
        rail_mm=(0.6, 1.6),
        rail_contrast=(3.5, 9.0),
        ballast=0.0,
        scripts=("arabic",),
        hands=("pen", "regular"),
        numeral_looks=("filled",),
        height_mm=(4.5, 6.0),
        weight=(0.07, 0.1),
        one_ink=1.0,
        shields=("none",),
        layouts=("one corner", "two corners", "both sides"),
        scenery=("none",),
        chaos_ground=0.0,
        specks=0.0,
    ),
    School(
        "woodcut with pips",
        grounds=("woodcut",),
        tones=("light", "light", "dark"),
        hues=(0.07, 0.14),
        saturation=(0.0, 0.25),
        ground_contrast=(4.0, 12.0),
        one_ground=1.0,
        looks=("plain", "lit"),
        rail_mm=(1.0, 2.2),
        rail_contrast=(6.0, 15.0),
        scripts=("pips",),
        height_mm=(8.0, 15.0),
        weight=(0.1, 0.22),
        shields=("patch", "disc", "square", "halo"),
        one_ink=1.0,
        layouts=("one corner", "two corners", "large and small"),
        scenery=("none", "rocks"),
        specks=0.6,
    ),
    School(
        "night",
        grounds=("night", "night", "gradient", "contours"),
        tones=("dark",),
        hues=(0.55, 0.85),
        saturation=(0.2, 0.6),
        ground_contrast=(1.1, 1.5),
        rails=(1, 2, 2),
        looks=("plain", "dashed", "hairlines"),
        rail_mm=(0.4, 1.2),
        rail_contrast=(1.6, 2.6),
        ballast=0.1,
        height_mm=(4.5, 8.0),
        weight=(0.08, 0.16),
        one_ink=0.7,
        layouts=("one corner", "other corner"),
        shields=("none",),
        scenery=("none", "stars", "firs", "houses"),
        scripts=("arabic", "roman"),
        frames=0.3,
    ),
    School(
        "framed landscapes",
        often=2,
        grounds=("hills", "fields", "grass", "watercolour", "gradient"),
        tones=("middle", "light"),
        hues=(0.1, 0.6),
        saturation=(0.25, 0.6),
        ground_contrast=(1.1, 1.6),
        one_ground=0.3,
        looks=("lit", "cased", "plain"),
        rail_mm=(0.9, 2.0),
        rail_contrast=(1.8, 6.0),
        ballast=0.7,
        frames=1.0,
        scripts=("arabic", "roman"),
        hands=("bold", "extra-bold", "footed", "pen"),
        height_mm=(6.0, 12.0),
        one_ink=0.1,
        shields=("shield", "disc", "flag", "diamond"),
        scenery=("trees", "firs", "houses", "rocks", "clouds", "flowers"),
    ),
    School(
        "thin green lines",
        grounds=("plain", "waves", "contours", "lattice"),
        tones=("light",),
        hues=(0.1, 0.16),
        saturation=(0.2, 0.5),
        ground_contrast=(1.05, 1.4),
        one_ground=1.0,
        rails=(2,),
        looks=("plain", "hairlines"),
        rail_mm=(0.35, 0.8),
        rail_contrast=(4.0, 8.0),
        sleeper_mm=(0.3, 0.6),
        ballast=0.0,
        frames=0.8,
        scripts=("arabic",),
        hands=("pen", "regular", "footed"),
        numeral_looks=("filled",),
        height_mm=(4.0, 7.0),
        weight=(0.06, 0.1),
        shields=("none", "patch"),
        one_ink=1.0,
        layouts=("side", "both sides"),
        scenery=("none", "sprigs"),
        chaos_ground=0.0,
    ),
    School(
        "for children",
        often=2,
        grounds=("plain", "dots", "rays", "grass", "gradient", "scales"),
        tones=("light", "middle"),
        saturation=(0.5, 0.9),
        one_ground=0.15,
        looks=("plain", "cased", "candy", "lit"),
        rail_mm=(1.4, 2.8),
        rail_contrast=(2.5, 8.0),
        sleeper_mm=(1.2, 3.0),
        scripts=("arabic", "arabic", "pips", "words"),
        height_mm=(9.0, 25.0),
        hands=("brush", "extra-bold", "bold", "pen"),
        weight=(0.14, 0.26),
        one_ink=0.1,
        grain=(0.0, 0.01),
        specks=0.0,
    ),
    School(
        "plain and modern",
        grounds=("plain", "plain", "gradient"),
        one_ground=0.4,
        rails=(1, 1, 2),
        looks=("plain", "candy", "cased"),
        bare_of_sleepers=0.8,
        ballast=0.15,
        scripts=("arabic", "counted", "pips", "words"),
        frames=0.2,
        hands=("regular", "bold", "segments", "angular"),
        scenery=("none",),
        grain=(0.0, 0.01),
        specks=0.0,
        layouts=("one corner", "large and small", "middle", "top", "other corner", "low corner"),
    ),
    School(
        "old posters",
        grounds=("rays", "gradient", "hills", "hatching", "linen"),
        hues=(0.02, 0.18),
        saturation=(0.3, 0.75),
        tones=("light", "middle"),
        hands=("angular", "footed", "extra-bold"),
        frames=0.9,
        mottling=(0.02, 0.06),
        grain=(0.02, 0.06),
        specks=0.5,
        numeral_looks=("filled", "hollow", "stencilled"),
        height_mm=(6.0, 20.0),
    ),
)
