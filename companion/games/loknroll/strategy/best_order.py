"""In which order to put penalty cards down, and which to combine, so that the least is left (PEN3, CMB1 to CMB3).

A card combines either with the pile's top or with a card put down in the same turn. Cards of the pile go only from
the top downwards, each with a new card of its value; the other new cards pair among themselves without restriction,
since their order is free, and what is left over, at most one card of each value, comes last. It is best to let as many
cards of the pile go as can: one more uses a new card of its value, which was either left over (then two cards more go)
or half of a pair of new ones (then the other half is left over in place of the pile's card, and nothing is lost).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vision.cards import Face


class Putting(NamedTuple):
    """A card to put down, and whether to combine it with the top of the pile."""

    face: Face
    combine: bool


class BestOrder(NamedTuple):
    """The cards in the best order, and what the pile is worth and holds afterwards."""

    puttings: tuple[Putting, ...]
    points: int
    cards: int
    top: int | None
    """The value on the top of the pile afterwards."""


def best_order(pile: Sequence[Face], taken: Sequence[Face], coming: Mapping[int, int] | None = None) -> BestOrder:
    """The order and combining that leaves the fewest points, then the fewest cards, then the most useful top card.

    ``pile`` from bottom to top, ``taken`` are the cards to put down. A top card is the more useful the more cards of
    its value may still come (``coming``: how many of each value); where that is equal, the higher value.
    """
    coming = coming or {}
    gone = _most_gone(pile, taken)
    hand: dict[int, list[Face]] = {}
    for face in taken:
        hand.setdefault(face.value, []).append(face)
    puttings = [Putting(hand[face.value].pop(), combine=True) for face in reversed(pile[len(pile) - gone :])]
    for cards in hand.values():
        while len(cards) >= 2:
            puttings += [Putting(cards.pop(), combine=False), Putting(cards.pop(), combine=True)]
    # The most useful one last: it lies on top, where later cards can combine with it.
    rest = sorted((card for cards in hand.values() for card in cards), key=lambda face: usefulness(face.value, coming))
    puttings += [Putting(face, combine=False) for face in rest]
    left = [*pile[: len(pile) - gone], *rest]
    return BestOrder(
        puttings=tuple(puttings),
        points=sum(face.value for face in left),
        cards=len(left),
        top=left[-1].value if left else None,
    )


def usefulness(value: int, coming: Mapping[int, int]) -> tuple[int, int]:
    """How good a value is to have on the top of the pile; larger is better."""
    return coming.get(value, 0), value


def _most_gone(pile: Sequence[Face], taken: Sequence[Face]) -> int:
    """How many cards from the top of the pile find a partner among the new cards."""
    free = Counter(face.value for face in taken)
    for gone, face in enumerate(reversed(pile)):
        if not free[face.value]:
            return gone
        free[face.value] -= 1
    return len(pile)
