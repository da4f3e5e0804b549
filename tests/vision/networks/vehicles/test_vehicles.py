"""What is seen on dots."""

from __future__ import annotations

from vision.networks.vehicles.vehicles import occupied


def test_where_all_is_as_it_was_nothing_is_asked_of_any_dot() -> None:
    """All dots of the network are covered, and none has changed."""
    assert not len(occupied([], []))
