"""Where the cards are that nobody may see: they follow from how the deck was shuffled and from the steps so far."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from companion.games.loknroll.rules import Begin, Discard, Draw, Game, Lay, LayOpen, SetAside, StartCard
from vision.cards import Face


class DealtCards(NamedTuple):
    """The draw pile, its top last, and each player's hand."""

    pile: list[Face]
    hands: list[list[Face]]


def dealt_cards(game: Game, seed: int) -> DealtCards:
    """The hidden cards of a game whose deck is shuffled with this seed: the same also after a restart."""
    random, start = Random(seed), game.states[0]
    pile = list(start.setup.deck.cards())
    hands: list[list[Face]] = [[] for _ in start.players]
    random.shuffle(pile)
    for before, step in zip(game.states, game.steps, strict=False):
        match step:
            case StartCard() | SetAside():
                pile.pop()
            case Begin():
                pile += before.set_aside
                random.shuffle(pile)
                pile = pile[before.setup.edition.removed[before.setup.mode] :]
                for number in range(before.setup.mode.persons):
                    hands[number] = [pile.pop() for _ in range(before.setup.edition.hand_cards)]
            case Draw():
                drawn = pile.pop()
                if not before.is_automatons_turn:
                    hands[before.active].append(drawn)
            case Lay(face=face) | Discard(face=face) if not before.is_automatons_turn:
                _remove(hands[before.active], face)
            case LayOpen(player=player):
                hands[player].clear()
            case _:
                pass
    return DealtCards(pile, hands)


def _remove(hand: list[Face], face_id: str) -> None:
    """Takes a card out of a hand; one that the camera took for another card may not be in it."""
    for face in hand:
        if face.id == face_id:
            hand.remove(face)
            return
    if hand:
        hand.pop()
