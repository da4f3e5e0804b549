"""Cards that keep their identity from picture to picture, and what several pictures together say about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Points
from vision.reading.reader import LEAST_LIKENESS, CardReading

SURE_LIKENESS: Final = 0.65
"""From here on a face is believed at once."""
SURE_LEAD: Final = 0.04
"""By how much more it must be like its card than any other face is, to be believed at once."""
MOST_LOOKS: Final = 4
"""Of a doubtful card; after that it is taken for what it looked like in most of them."""
_REPLACED: Final = 0.4
"""The share of a card's place that looks different when the card has been taken or another lies there."""
_LEAST_LEAD: Final = 0.01
"""What a look counts for that leads to a face by a hair."""
_NOTHING_LEFT: Final = 0.2
"""Where a card has less of a likeness than this, nothing of it is to be seen: Emma, hands and shadows leave twice that.
"""
_CLEARLY_CHANGED: Final = 0.15
"""The share of a card's place that looks different when a card has been taken from a table of its own colours."""
_UNTOUCHED: Final = 0.02
"""The share up to which no other card can have been put in its place."""
_SAME_PLACE: Final = 0.5
"""The share of a card's place on which a reading must lie to be of this card or of its successor."""
_CLEARLY_MORE: Final = 0.05
_A_LITTLE_MORE: Final = 0.01
_ALLOWED_BY_RULES: Final = 0.03
"""What a face's being expected counts for, in likeness."""


class TrackedCard(NamedTuple):
    """A card on the table: its number, its present reading, and what all looks say.

    ``leads``: for each face as which it was read, by how much it was more like it than like the next one, summed.
    ``looks``: how often it was looked for, ``misses``: how often it was not found.
    """

    serial: int
    reading: CardReading
    leads: Mapping[str, float]
    looks: int = 1
    misses: int = 0

    @property
    def is_doubtful(self) -> bool:
        """Whether it is worth another look."""
        if self.looks >= MOST_LOOKS:
            return False
        others = [weight for face, weight in self.leads.items() if face != self.reading.face]
        lead = self.leads[self.reading.face] - max(others, default=0.0)
        return self.misses > 0 or lead < SURE_LEAD or self.reading.likeness < SURE_LIKENESS

    def moved(self, corners_px: Corners) -> TrackedCard:
        """The same card elsewhere in the picture (4 × 2, px)."""
        return self._replace(reading=self.reading._replace(corners_px=corners_px))

    def seen_again(self, reading: CardReading, likeness: float, expected: Collection[str]) -> TrackedCard:
        """The same card after one more look: its face is the one that has led most so far, or in the first clear look.

        ``likeness`` is how alike its old place still looks: where the new place fits better, it is taken.
        """
        kept = self.reading
        is_clear = not reading.others and reading.lead >= SURE_LEAD
        # One clear look says more than any number of those that leave it open: these are alike, and may all be wrong.
        before = {} if kept.others and is_clear else self.leads
        leads = {**before, reading.face: before.get(reading.face, 0.0) + max(reading.lead, _LEAST_LEAD)}
        face = max(leads, key=lambda face: leads[face] + (_ALLOWED_BY_RULES if face in expected else 0.0))
        if reading.face == face:
            was_clear = kept.face == face and not kept.others and before.get(face, 0.0) >= SURE_LEAD
            if kept.face != face or reading.likeness > likeness + _A_LITTLE_MORE:
                kept = reading
            others = () if was_clear else reading.others
            if kept.others != others:
                kept = kept._replace(others=others, probability=reading.probability)
        return TrackedCard(self.serial, kept, leads, self.looks + 1, 0)

    def named_by_still(self, reading: CardReading) -> TrackedCard:
        """The same card as a still shows it: that says more than all looks before."""
        return TrackedCard(self.serial, reading, {reading.face: max(reading.lead, _LEAST_LEAD)}, self.looks, 0)

    def missed(self) -> TrackedCard:
        """The same card after a look in which it was not found."""
        return self._replace(looks=self.looks + 1, misses=self.misses + 1)


class Suspect(NamedTuple):
    """A card at whose place something has changed: the share of it that has, and how alike it still looks."""

    card: TrackedCard
    share: float
    likeness: float


def tracked(reading: CardReading, serial: int) -> TrackedCard:
    """A card seen for the first time."""
    return TrackedCard(serial, reading, {reading.face: max(reading.lead, _LEAST_LEAD)})


def overlap(one: Corners, other: Corners) -> float:
    """The share of the smaller one of two outlines (4 × 2, px) that lies on the other."""
    first, second = (np.asarray(outline, dtype=np.float32) for outline in (one, other))
    common, _ = cv2.intersectConvexConvex(first, second)
    return float(common / max(min(cv2.contourArea(first), cv2.contourArea(second)), 1.0))


def settled(
    suspects: Sequence[Suspect], found: Sequence[CardReading], expected: Collection[str], next_serial: int
) -> list[TrackedCard]:
    """The cards that lie where something has changed: those that stay, those that were pushed, and new ones.

    ``found`` is what has been read there. New cards get numbers from ``next_serial`` on; it is 0 as long as nothing is
    known of the table.
    """
    left = list(found)
    cards: list[TrackedCard] = []
    gone: list[TrackedCard] = []
    # Cards that have been pushed may lie over the places of others. The one at whose place least has happened chooses
    # its reading first: what is left then is rather of a card that came there.
    for suspect in sorted(suspects, key=lambda suspect: suspect.share):
        reading = _at_place(suspect.card, left)
        if reading is not None and _is_of(suspect, reading):
            left = [other for other in left if other is not reading]
            cards.append(suspect.card.seen_again(reading, suspect.likeness, expected))
        elif reading is None and _is_hidden(suspect):
            # A card that is given up too soon comes back with a new number, and to the game that is a card newly laid.
            cards.append(suspect.card.missed())
        else:
            gone.append(suspect.card)
    # On empty cloth where rails lead the reader is fooled now and then; people lay cards before Emma hides them.
    left = [reading for reading in left if next_serial == 0 or reading.likeness >= LEAST_LIKENESS]
    # What was read where no card lay is one that was pushed there, if one of its face is gone. Of several cards with
    # that face it is the one that has come the way of all: a railway is pushed as a whole.
    way = _common_way(gone, left)
    for reading in left:
        alike = [card for card in gone if card.reading.face == reading.face]
        elsewhere = min(alike, key=lambda card: float(np.linalg.norm(_way(card, reading) - way)), default=None)
        gone = [card for card in gone if card is not elsewhere]
        cards.append(tracked(reading, next_serial if elsewhere is None else elsewhere.serial))
        next_serial += elsewhere is None
    return cards


def _way(card: TrackedCard, reading: CardReading) -> Points:
    """How far (x, y, px) a card would have come if this were it."""
    return np.asarray((reading.corners_px - card.reading.corners_px).mean(axis=0))


def _common_way(gone: Sequence[TrackedCard], left: Sequence[CardReading]) -> Points:
    """How far cards have come together: those of one face are told apart by that."""
    before, now = (Counter(face) for face in ([card.reading.face for card in gone], [card.face for card in left]))
    ways = [
        _way(card, reading)
        for card in gone
        for reading in left
        if card.reading.face == reading.face and before[reading.face] == now[reading.face] == 1
    ]
    return np.median(ways, axis=0) if ways else np.zeros(2)


def _at_place(card: TrackedCard, found: Sequence[CardReading]) -> CardReading | None:
    overlaps = [overlap(card.reading.corners_px, reading.corners_px) for reading in found]
    best = max(range(len(found)), key=overlaps.__getitem__, default=None)
    return found[best] if best is not None and overlaps[best] > _SAME_PLACE else None


def _is_of(suspect: Suspect, reading: CardReading) -> bool:
    """Whether what was read at a card's place is this card, or this card misread: no other one was put there."""
    # All of its place has changed, and neither the old face nor the one that was read there is like what is there now:
    # the card has been taken, and what was read is the bare table or a hand.
    if suspect.share >= _REPLACED and max(reading.likeness, suspect.likeness) < LEAST_LIKENESS:
        return False
    if reading.face == suspect.card.reading.face or suspect.share < _UNTOUCHED:
        return True
    if suspect.share >= _REPLACED:
        return False
    # Something is on the card, as Emma, and it reads like another face. To lay another card exactly there without
    # changing more of the place is hardly possible: so only a sure reading that is clearly better says that one was.
    return reading.likeness < max(suspect.likeness + _CLEARLY_MORE, SURE_LIKENESS)


def _is_hidden(suspect: Suspect) -> bool:
    """Whether a card that was not found lies there nevertheless, under Emma or a shadow."""
    card = suspect.card
    # What was never sure, and was missed in every look since it came, was no card.
    if card.reading.likeness < SURE_LIKENESS and card.misses + 1 >= card.looks:
        return False
    if suspect.likeness < _NOTHING_LEFT and (suspect.share > _CLEARLY_CHANGED or card.misses > 0):
        return False
    return suspect.share < _REPLACED or suspect.likeness >= LEAST_LIKENESS
