"""What can be looked at at any time: the map, the order, the speeds, what happened last, and the settings."""

from __future__ import annotations

from companion.games.at_table.lists import ListEntry, open_settings
from companion.games.locomotion.play.desk import Desk


def look(desk: Desk) -> None:
    """Opens the list of what can be looked at."""
    entries = [desk.word("settings")]
    desk.open(ListEntry(desk.word("title-look"), entries, _chosen))


def _chosen(desk: Desk, index: int) -> None:  # noqa: ARG001
    settings(desk)


def settings(desk: Desk, chosen_at: int = 0) -> None:
    """Opens the list of settings, at one of them."""
    open_settings(desk, [], settings, chosen_at)
