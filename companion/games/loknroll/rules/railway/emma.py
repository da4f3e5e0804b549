"""Emma's way along the railway, and the cards that it costs.

One place for what building, passing and the automaton share: moving (ROLL2, PASS2, BET4), broken tracks (BRK1,
BRK2), derailing (DER1) and taking penalty cards from the rear (PEN1, PEN2).
"""

import msgspec

from companion.games.loknroll.rules.railway.railway import Railway
from vision.cards import Face, Kind


class Drive(msgspec.Struct, frozen=True):
    """How a drive has gone: the railway and Emma's index on it afterwards, and what happened on the way."""

    railway: Railway
    emma: int
    moved: int = 0
    missing: int = 0
    broken: int = 0
    taken: tuple[Face, ...] = ()
    waived: int = 0

    def take(self, count: int) -> "Drive":
        """The same with penalty cards taken from the rear, up to the card Emma stands on (PEN1, PEN2)."""
        possible = min(count, self.emma)
        return msgspec.structs.replace(
            self,
            railway=self.railway.without_rear(possible),
            emma=self.emma - possible,
            taken=self.taken + self.railway.faces[:possible],
            waived=self.waived + count - possible,
        )


def drive(railway: Railway, emma: int, steps: int, *, broken_costs: bool = True) -> Drive:
    """Emma goes forward card by card until the steps are used up or the railway ends.

    Each broken track that she comes onto costs a card at that moment; the one she sets off from does not.
    """
    way = Drive(railway, emma)
    for done in range(steps):
        if way.emma + 1 == len(way.railway):
            return msgspec.structs.replace(way, moved=done, missing=steps - done)
        way = msgspec.structs.replace(way, emma=way.emma + 1)
        if broken_costs and way.railway.cards[way.emma].face.kind is Kind.BROKEN:
            # Now, not at the end: the railway becomes shorter below her, and PEN2 depends on where she stands.
            way = msgspec.structs.replace(way, broken=way.broken + 1).take(1)
    return msgspec.structs.replace(way, moved=steps)
