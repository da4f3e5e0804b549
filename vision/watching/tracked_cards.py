"""Cards that keep their identity from picture to picture, and what several pictures together say about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Points
from vision.faces.fit import LEAST_LIKENESS
from vision.reading.card_names import LEAD, verdict
from vision.reading.reader import CardReading

SURE_LIKENESS: Final = 0.65
"""From here on it is plain to see that a card lies there."""
SURE_LEAD: Final = 0.25
"""What all looks together have to say to be believed for good: of faces that lead by so much 99 in 100 are right."""
MOST_LOOKS: Final = 8
"""Of a doubtful card; after that it is taken for what it looked like in all of them."""
_ALIKE: Final = 0.3
"""How alike looks are wrong (a correlation): cameras, lamps and taught faces are the same, only noise is another.

Of 422 cards of 20 decks for building 26 are open after one look and 6 others wrong; after six looks 5 are open and 2
wrong if they are added up as if they were independent, 8 and 2 with 0.2, 13 and none so.
"""
_REPLACED: Final = 0.4
"""The share of a card's place that looks different when the card has been taken or another lies there."""
_NOTHING_LEFT: Final = 0.2
"""Where a card has less of a likeness than this, nothing of it is to be seen: Emma, hands and shadows leave twice that.
"""
_CLEARLY_CHANGED: Final = 0.15
"""The share of a card's place that looks different when a card has been taken from a table of its own colours."""
_UNTOUCHED: Final = 0.02
"""The share up to which no other card can have been put in its place."""
_SAME_PLACE: Final = 0.5
"""The share of a card's place on which a reading must lie to be of this card or of its successor."""
_PLAINLY_ANOTHER: Final = 9.0
"""As a logarithm: another card lies there if what is read now is so unlikely the card before, and that so unlikely it.

In 94 streams of decks for building five cards were taken for those whose place they had taken, each by 20 and more; of
those that stayed, had been read rightly, and at whose place something had changed none was by more than 6.7.
"""
_LITTLE_LEFT: Final = 0.45
"""As much of a card's likeness is left at least where it is only misread, under Emma or in noise.

In 282 streams of decks for building 160 cards were put where another one had lain, eight of them at places that seemed
untouched: .37 was left at most. Of nine that lay there still and were read as another one with odds of 6 and more .53
and more was left of six, and of three, in much noise, .15 to .36.
"""
_CLEARLY_MORE: Final = 0.05
_A_LITTLE_MORE: Final = 0.01
_ALLOWED_BY_RULES: Final = 0.6
"""As a logarithm, how much likelier a face is for being expected: it decides between faces that look alike."""


class TrackedCard(NamedTuple):
    """A card on the table: its number, its present reading, and what all looks say.

    ``told``: how likely each face is by all its ``readings``, as logarithms, summed. ``latest``: by the last of them,
    as long as nothing has changed at its place since, and it may be read once more from what includes that picture.
    ``looks``: how often it was looked for, ``misses``: how often it was not found since it was last.
    """

    serial: int
    reading: CardReading
    told: Mapping[str, float]
    latest: Mapping[str, float]
    readings: int = 1
    looks: int = 1
    misses: int = 0

    @property
    def is_doubtful(self) -> bool:
        """Whether it is worth another look."""
        return self.looks < MOST_LOOKS and (self.misses > 0 or self.reading.lead < SURE_LEAD)

    @property
    def odds(self) -> dict[str, float]:
        """How likely each face is by all readings together, as logarithms."""
        return {face: one / (1 + (self.readings - 1) * _ALIKE) for face, one in self.told.items()}

    def moved(self, corners_px: Corners) -> TrackedCard:
        """The same card elsewhere in the picture (4 × 2, px)."""
        return self._replace(reading=self.reading._replace(corners_px=corners_px))

    def seen_again(self, reading: CardReading, likeness: float, expected: Collection[str]) -> TrackedCard:
        """The same card after one more look: its face is the likeliest one by all looks.

        ``likeness`` is how alike its old place still looks: where the new place fits better, it is taken.
        """
        odds = _odds(reading)
        faces = list({**self.told, **odds})
        told = {face: self.told.get(face, 0.0) + odds.get(face, 0.0) for face in faces}
        told_again = self._replace(told=told, latest=odds, readings=self.readings + 1, looks=self.looks + 1, misses=0)
        together = told_again.odds
        left = {face: by_deck for face, _, by_deck in reading.odds}
        names = verdict(
            np.array([together[face] + left.get(face, 0.0) + _ALLOWED_BY_RULES * (face in expected) for face in faces])
        )
        face, kept = faces[names.first], self.reading
        if reading.face == face and (kept.face != face or reading.likeness > likeness + _A_LITTLE_MORE):
            kept = reading
        others = tuple(faces[other] for other in names.others)
        kept = kept._replace(face=face, lead=names.lead, others=others, probability=names.probability)
        return told_again._replace(reading=kept)

    def named_by_still(self, reading: CardReading) -> TrackedCard:
        """The same card as a still shows it: that says more than all looks before."""
        return TrackedCard(self.serial, reading, _odds(reading), {}, looks=self.looks)

    def without_latest(self) -> TrackedCard:
        """The same card without what the latest reading told."""
        told = {face: one - self.latest.get(face, 0.0) for face, one in self.told.items()}
        return self._replace(told=told, latest={}, readings=self.readings - bool(self.latest))

    def missed(self) -> TrackedCard:
        """The same card after a look in which it was not found."""
        return self._replace(looks=self.looks + 1, misses=self.misses + 1)


class Suspect(NamedTuple):
    """A card at whose place something has changed: the share of it that has, and how alike it still looks.

    ``is_longer``: what is read now includes the picture in which the card was read last, which would else be counted
    twice.
    """

    card: TrackedCard
    share: float
    likeness: float
    is_longer: bool = False


def tracked(reading: CardReading, serial: int) -> TrackedCard:
    """A card seen for the first time."""
    odds = _odds(reading)
    return TrackedCard(serial, reading, odds, odds)


def _odds(reading: CardReading) -> dict[str, float]:
    """How likely each face is by a picture (logarithms); where only its lead was told, by that."""
    if not reading.odds:
        return {reading.face: reading.lead / LEAD, **dict.fromkeys(reading.others, 0.0)}
    by_picture = np.array([one for _, one, _ in reading.odds])
    by_picture -= np.logaddexp.reduce(by_picture)
    return {face: float(one) for (face, *_), one in zip(reading.odds, by_picture, strict=True)}


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
            card = suspect.card.without_latest() if suspect.is_longer else suspect.card
            cards.append(card.seen_again(reading, suspect.likeness, expected))
        elif reading is None and _is_hidden(suspect):
            # A card that is given up too soon comes back with a new number, and to the game that is a card newly laid.
            missed = suspect.card.missed()
            cards.append(missed if suspect.is_longer else missed._replace(latest={}))
        else:
            gone.append(suspect.card)
    # What was read where no card lay is one that was pushed there, if one of its face is gone. Of several cards with
    # that face it is the one that has come the way of all: a railway is pushed as a whole.
    way = _common_way(gone, left)
    for reading in left:
        alike = [card for card in gone if card.reading.face == reading.face]
        elsewhere = min(alike, key=lambda card: float(np.linalg.norm(_way(card, reading) - way)), default=None)
        gone = [card for card in gone if card is not elsewhere]
        if elsewhere is None:
            cards.append(tracked(reading, next_serial))
            next_serial += 1
        else:
            cards.append(elsewhere.moved(reading.corners_px).seen_again(reading, -1.0, expected))
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
    if reading.face == suspect.card.reading.face:
        return True
    # Noise and the dark may hide that another card has come, but not that hardly anything is left of the first.
    is_left = suspect.likeness >= _LITTLE_LEFT * suspect.card.reading.likeness
    if not is_left and _is_plainly_another(suspect.card, reading):
        return False
    if suspect.share < _UNTOUCHED:
        return True
    if suspect.share >= _REPLACED:
        return False
    # Something is on the card, as Emma, and it reads like another face. To lay another card exactly there without
    # changing more of the place is hardly possible: so only a sure reading that is clearly better says that one was.
    return reading.likeness < max(suspect.likeness + _CLEARLY_MORE, SURE_LIKENESS)


def _is_plainly_another(card: TrackedCard, reading: CardReading) -> bool:
    """Whether a card and what was read at its place cannot both be right and of one card.

    A dark card on a dark table, or one with thin rails, changes little of its place when another is put there.
    """
    now, before, face = _odds(reading), card.odds, card.reading.face
    if not {face, reading.face} <= now.keys() & before.keys():
        return False
    return min(now[reading.face] - now[face], before[face] - before[reading.face]) >= _PLAINLY_ANOTHER


def _is_hidden(suspect: Suspect) -> bool:
    """Whether a card that was not found lies there nevertheless, under Emma or a shadow."""
    card = suspect.card
    # What was read once, never surely, and was missed twice since, was no card.
    if card.readings == 1 and card.misses > 0 and card.reading.lead < SURE_LEAD:
        return False
    if suspect.share < _UNTOUCHED and card.misses == 0:
        return True
    if suspect.likeness < _NOTHING_LEFT and (suspect.share > _CLEARLY_CHANGED or card.misses > 0):
        return False
    return suspect.share < _REPLACED or suspect.likeness >= LEAST_LIKENESS
