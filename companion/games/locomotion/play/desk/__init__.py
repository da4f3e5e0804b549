"""What all parts of the controller work at, divided by what changes together."""

from companion.games.locomotion.play.desk.desk import Desk

__all__ = ["Desk"]
