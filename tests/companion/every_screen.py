"""What the fixture ``every_screen`` is to tests."""

from collections.abc import Callable

from companion.screen.screen import Screen

EveryScreen = Callable[[str], list[tuple[str, Screen]]]
"""All screens of the gallery in a language, by their names."""
