"""All that a designer decides about a deck, before a single card is drawn. Lengths in mm, colours as SVG has them."""

from __future__ import annotations

from typing import Literal, NamedTuple

GroundKind = Literal[
    "plain", "gradient", "hatching", "lattice", "dots", "waves", "rays", "contours", "scales",
    "fields", "hills", "woodcut", "night", "watercolour", "grass", "boards", "stone", "linen",
]  # fmt: skip
RailLook = Literal["plain", "lit", "cased", "hairlines", "dashed", "candy"]
Script = Literal["arabic", "roman", "counted", "pips", "words"]
Hand = Literal["pen", "angular", "segments", "footed", "brush", "regular", "bold", "extra-bold"]
NumeralLook = Literal["filled", "hollow", "stencilled"]
Shield = Literal["none", "patch", "halo", "disc", "square", "diamond", "shield", "flag", "ring", "oval"]
Scenery = Literal["none", "trees", "firs", "houses", "rocks", "flowers", "stars", "clouds", "sprigs"]
Break = Literal["gap", "cross", "crater", "barrier", "burst"]
Chaos = Literal["boulders", "burst", "whirl", "tangle", "crossed", "shards"]
UpMark = Literal["none", "caption", "emblem", "signature", "footer"]
Place = Literal["nw", "ne", "sw", "se", "w", "e", "n", "s", "middle"]
BackKind = Literal["lattice", "rays", "rings", "dots", "waves", "emblem", "checks"]


class Ground(NamedTuple):
    """What everything else is printed on: its pattern in one or two more colours over the base."""

    kind: GroundKind
    base: str
    second: str
    third: str
    step_mm: float
    weight_mm: float
    degrees: float


class Sleepers(NamedTuple):
    """Sleepers across the track, or other strokes in their place; ``loose`` is how far a hand drew them aslant."""

    step_mm: float
    length_mm: float
    width_mm: float
    colour: str
    loose: float


class Bed(NamedTuple):
    """What the sleepers lie in."""

    width_mm: float
    colour: str
    edge: str
    stones: bool


class Track(NamedTuple):
    """The railway. ``short_mm`` is how far from the card's edges the rails end, ``cleared_mm`` a bare strip's width."""

    rails: int
    gauge_mm: float
    rail_mm: float
    look: RailLook
    colour: str
    second: str
    sleepers: Sleepers | None
    bed: Bed | None
    short_mm: float
    cleared_mm: float

    @property
    def width_mm(self) -> float:
        """From side to side, with all that belongs to it."""
        sleepers = 0.0 if self.sleepers is None else self.sleepers.length_mm
        bed = 0.0 if self.bed is None else self.bed.width_mm
        return max(sleepers, bed, self.gauge_mm + self.rail_mm)


class Frame(NamedTuple):
    """A line or a margin along the card's edges; a ``margin`` is filled outwards, up to the card's edge."""

    inset_mm: float
    width_mm: float
    radius_mm: float
    colour: str
    is_margin: bool
    is_double: bool


class Numeral(NamedTuple):
    """How values are written. ``height_mm`` is that of the ink, ``weight`` of its strokes in parts of it."""

    script: Script
    hand: Hand
    look: NumeralLook
    height_mm: float
    weight: float
    stretch: float
    slant: float
    language: str


class Mark(NamedTuple):
    """Where a value stands on the card, by how much it is smaller or larger there, and whether it is upside down."""

    place: Place
    scale: float
    is_turned: bool


class Style(NamedTuple):
    """All of it."""

    school: str
    """What kind of deck the designer had in mind."""
    card_mm: tuple[float, float]
    ports: dict[str, float]
    """Where the rails leave each edge, from its middle to the right or down."""
    grounds: tuple[Ground, ...]
    """For each value."""
    chaos_ground: Ground | None
    """For chaos cards, if they have another."""
    frame: Frame | None
    track: Track
    numeral: Numeral
    marks: tuple[Mark, ...]
    shield: Shield
    inks: tuple[str, ...]
    """Of each value's numeral."""
    fills: tuple[str, ...]
    """Of each value's shield."""
    line: str
    """Of frames, captions, wrecks and what else is drawn."""
    alarm: str
    """Of what is broken."""
    scenery: Scenery
    scenery_colours: tuple[str, str]
    scenery_by: Literal["face", "value", "shape", "deck"]
    """What cards share their scenery."""
    crowd: int
    """How many things of the scenery are tried to be put onto a card."""
    breaks: Break
    chaos: Chaos
    up_mark: UpMark
    reminder: bool
    """Whether the value that may not lie beside a card is printed on it, small and crossed out."""
    back: BackKind
    grain: float
    """Of the paper or the print, in parts of white."""
    mottling: float
    """Unevenness of the ink, in parts of white."""
    specks: float
    """The share of the ink that did not take, as with old presses."""

    def ground(self, value: int) -> Ground:
        """The ground of a value's track cards."""
        return self.grounds[value - 1]
