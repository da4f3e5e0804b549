"""What lies on the table beside what should lie there."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.loknroll.rules.railway.railway import LaidCard, Railway
from companion.games.loknroll.table.outline import Outline, shifted_area
from companion.games.loknroll.table.same_cards import NEAR_MM, distance
from vision.cards import Motion, Pose
from vision.cards.area import Area
from vision.watching.table_reading import SeenCard, TableReading

_NEAR_DEG: Final = 15.0
_FAR_SHARE: Final = 0.03
"""How much farther it may be for each card of the railway, since the camera's measure is a little off."""
_FRONT_CARDS: Final = 2
_FRONT_WEIGHT: Final = 2.0
"""New cards come to the front: its cards say a little better how the railway lies."""
_AS_BEFORE: Final = 0.5
_EMMA_STANDS: Final = 0.3
_SAME_CARDS: Final = 0.15
"""What decides between axes in which as many cards lie where they should; all of it counts less than one card."""
_ARM_MM: Final = 40.0


class Comparison(NamedTuple):
    """A reading in the axes of the game, beside a railway.

    ``shift`` takes the camera's axes into those of the game. ``found`` are the seen cards for each card of the
    railway, None for those that are ``missing``. ``leftover`` lie there though they were taken from the railway,
    ``new`` belong to nothing known so far. ``emma`` is the index of her card, None where she stands on no card of the
    railway or is not seen (``emma_seen``). ``outline`` is what the camera sees of the table, ``area`` an upright part
    of it that it sees well; ``outside`` are those of the missing cards, by their indices, that lie out of its sight,
    if only with a corner.
    """

    shift: Motion
    found: tuple[SeenCard | None, ...]
    leftover: tuple[SeenCard, ...]
    new: tuple[SeenCard, ...]
    emma: int | None
    emma_seen: bool
    outline: Outline | None = None
    outside: frozenset[int] = frozenset()
    area: Area | None = None

    @property
    def missing(self) -> tuple[int, ...]:
        """The indices of the railway's cards that are not seen."""
        return tuple(index for index, card in enumerate(self.found) if card is None)


class Gone(NamedTuple):
    """A card that has left the railway and may lie there still; ``serial`` as which it was last seen."""

    card: LaidCard
    serial: int | None


def compared(
    railway: Railway,
    emma: int | None,
    gone: Sequence[Gone],
    reading: TableReading,
    before: Motion | None,
    *,
    serials: Mapping[LaidCard, int],
) -> Comparison:
    """What of a reading is the railway, and what is not.

    ``emma`` is the index of the card on which she should stand, ``before`` is how the axes lay last, ``serials`` are
    the numbers as which the railway's cards were last seen.
    """
    hers = None if emma is None else railway.cards[emma]
    shift = aligned(railway, hers, [each.card for each in gone], reading, before, serials=serials)
    # A seen card is one thing only: the railway takes what lies in its places, whatever face is read there; then come
    # the cards that have left it, on whose places others may lie by now. Only what nobody claims is new.
    cards = [replace(card, pose=shift(card.pose).rounded()) for card in reading.cards]
    found, cards = _claimed(cards, [partial(_nearest, laid, length=len(railway.cards)) for laid in railway.cards])
    leftover, cards = _claimed(cards, [partial(_left, each) for each in gone])
    numbers = [None if card is None else card.serial for card in found]
    stands = numbers.index(reading.emma) if reading.emma is not None and reading.emma in numbers else None
    outline = Outline(tuple(map(shift.point, reading.outline))) if reading.outline else None
    return Comparison(
        shift,
        tuple(found),
        tuple(card for card in leftover if card is not None),
        tuple(cards),
        stands,
        emma_seen=reading.emma is not None,
        outline=outline,
        outside=_outside(railway, found, outline),
        area=None if reading.area is None else shifted_area(reading.area, shift),
    )


def _claimed(
    cards: list[SeenCard], claims: Sequence[Callable[[list[SeenCard]], SeenCard | None]]
) -> tuple[list[SeenCard | None], list[SeenCard]]:
    """What each of the claims takes of the cards, one after the other, and the cards that are left."""
    taken = []
    for claim in claims:
        card = claim(cards)
        cards = [other for other in cards if other is not card]
        taken.append(card)
    return taken, cards


def _left(gone: Gone, cards: Sequence[SeenCard]) -> SeenCard | None:
    """The card that has left the railway, if it lies there still.

    Another face in its place is a new card, unless it is the very card that lay there, now read otherwise.
    """
    near = _nearest(gone.card, [card for card in cards if card.may_be(gone.card.face.id)], 0)
    return near or next((card for card in cards if card.serial == gone.serial and _is_at(gone.card, card)), None)


def _outside(railway: Railway, found: Sequence[SeenCard | None], outline: Outline | None) -> frozenset[int]:
    if outline is None:
        return frozenset()
    return frozenset(
        index
        for index, (laid, card) in enumerate(zip(railway.cards, found, strict=True))
        if card is None and laid.pose is not None and not outline.holds_card(laid.pose, laid.face.size_mm)
    )


def aligned(
    railway: Railway,
    hers: LaidCard | None,
    gone: Sequence[LaidCard],
    reading: TableReading,
    before: Motion | None,
    *,
    serials: Mapping[LaidCard, int],
) -> Motion:
    """How the camera's axes lie, so that as many cards as possible lie where they should.

    Where that can be in two ways, it is as it was before; or else so that Emma stands on her card, and the cards have
    the numbers as which they were last seen: a row of one face looks the same from both ends.
    """
    known, cards = [card for card in (*railway.cards, *gone) if card.pose is not None], reading.cards
    if not known or not cards:
        return before or Motion()

    def worth(shift: Motion) -> float:
        pairs = _pairs(known, cards, shift)
        stands = any(laid is hers and card.serial == reading.emma for laid, card in pairs)
        same = sum(serials.get(laid) == card.serial for laid, card in pairs) / len(known)
        return len(pairs) + (_AS_BEFORE if shift is before else _EMMA_STANDS * stands + _SAME_CARDS * same)

    # The usual case: nothing has moved but what was laid, so no other guess need be tried.
    is_as_before = before is not None and len(_pairs(known, cards, before)) == len(known)
    # One card where it should lie tells the axes. Nobody knows which that is: any of the same face may be it, and the
    # guess that puts most others into their places as well is right. New cards and pushed ones do not outvote those.
    guesses = () if is_as_before else _guesses(known, cards, before)
    best = max(guesses, key=worth, default=before or Motion())
    # A single card is off by a degree or two, far away that is more than a card may be. The first fit, to those that
    # were near enough, brings the others near for the second.
    for _ in range(2):
        pairs = _pairs(known, cards, best)
        if not pairs:
            return best
        best = _fitted(pairs, railway)
    return best


def _guesses(known: Sequence[LaidCard], cards: Sequence[SeenCard], before: Motion | None) -> Iterator[Motion]:
    if before is not None:
        yield before
    # Of guesses that are as good the first one stays: a card laid lately is likelier to lie where it was laid.
    for laid in reversed(known):
        for card in cards:
            if card.may_be(laid.face.id) and laid.pose is not None:
                yield Motion.onto(card.pose, laid.pose)


def _pairs(known: Sequence[LaidCard], cards: Sequence[SeenCard], shift: Motion) -> list[tuple[LaidCard, SeenCard]]:
    """Cards that lie where one of the same face should."""
    moved = [(card, replace(card, pose=shift(card.pose).rounded())) for card in cards]
    pairs = []
    for laid in known:
        for card, there in moved:
            if card.may_be(laid.face.id) and _is_at(laid, there, 2 * NEAR_MM):
                pairs.append((laid, card))
                break
    return pairs


def _fitted(pairs: Sequence[tuple[LaidCard, SeenCard]], railway: Railway) -> Motion:
    """The shift that brings these cards nearest to where they should lie; the front counts most."""
    front = railway.cards[-_FRONT_CARDS:]
    points = []
    for laid, card in pairs:
        weight = _FRONT_WEIGHT if laid in front else 1.0
        points += [
            (weight, seen, wanted) for seen, wanted in zip(_arm(card.pose), _arm(laid.pose or card.pose), strict=True)
        ]
    total = sum(weight for weight, _, _ in points)
    middle_seen = sum(weight * seen for weight, seen, _ in points) / total
    middle_wanted = sum(weight * wanted for weight, _, wanted in points) / total
    spin = sum(weight * (wanted - middle_wanted) * (seen - middle_seen).conjugate() for weight, seen, wanted in points)
    move = middle_wanted - spin / abs(spin) * middle_seen
    return Motion(move.real, move.imag, math.degrees(cmath.phase(spin)))


def _arm(pose: Pose) -> tuple[complex, complex]:
    """Two points of a card: they tell its place and how it is turned."""
    point = complex(pose.x_mm, pose.y_mm)
    arm = cmath.rect(_ARM_MM, math.radians(pose.rotation_deg))
    return point - arm, point + arm


def _nearest(laid: LaidCard, cards: Sequence[SeenCard], length: int) -> SeenCard | None:
    """The card that lies where this one should, whatever its face was read as; the same face goes first."""
    room = NEAR_MM * (1 + _FAR_SHARE * length)
    there = [card for card in cards if _is_at(laid, card, room)]
    return min(there, key=lambda card: (not card.may_be(laid.face.id), distance(laid.pose, card.pose)), default=None)


def _is_at(laid: LaidCard, card: SeenCard, room_mm: float = NEAR_MM) -> bool:
    if laid.pose is None or distance(laid.pose, card.pose) > room_mm:
        return False
    askew = (card.pose.rotation_deg - laid.pose.rotation_deg + 45) % 90 - 45
    across = round((card.pose.rotation_deg - laid.pose.rotation_deg) / 90) % 2
    return abs(askew) <= _NEAR_DEG and (not card.may_be(laid.face.id) or not across)
