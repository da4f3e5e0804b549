"""What all parts of the controller work at, divided by what changes together."""

from companion.games.loknroll.play.desk.desk import Desk
from companion.games.loknroll.play.desk.disputes import Objection

__all__ = ["Desk", "Objection"]
