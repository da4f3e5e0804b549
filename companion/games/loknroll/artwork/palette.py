"""The colours. Track and paper are the same on every card, so that joints do not show; the seasons differ."""

from typing import Final, NamedTuple

PAPER: Final = "#fbf6ea"
INK: Final = "#1c2126"

BALLAST: Final = "#d9d0c3"
BALLAST_EDGE: Final = "#8b7c6b"
STONE_LIGHT: Final = "#eee7dc"
STONE_DARK: Final = "#b3a695"
SLEEPER: Final = "#a87c57"
SLEEPER_SHADE: Final = "#7e5a3d"
RAIL: Final = "#20262d"
RAIL_SHINE: Final = "#7d8894"

DANGER: Final = "#c8261d"
WARNING: Final = "#ffc81e"


class Season(NamedTuple):
    """The colours of a value's landscape and badge."""

    ground: str
    lighter: str
    darker: str
    accent: str
    badge: str
    numeral: str
    night: str


SEASONS: Final = {
    1: Season("#b4d873", "#cde896", "#9cc85f", "#f49ab4", "#fffdf4", "#14401f", "#26331f"),
    2: Season("#f3d36b", "#f9e293", "#e7bf4b", "#e8860f", "#ffd21f", "#33200a", "#3a3018"),
    3: Season("#dd9460", "#e9ae7d", "#cb7d4a", "#9c2f16", "#8f2a12", "#fff6ea", "#38231b"),
    4: Season("#dfecf5", "#f3f9fd", "#c6dcea", "#4d86b4", "#15336b", "#ffffff", "#1f2c3a"),
}
"""By value: spring, summer, autumn, winter."""
