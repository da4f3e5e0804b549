"""A deck made of a lesson: all its photographs measured together, and what people have said checked against them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.teaching.face_words import usual_places
from companion.teaching.lesson import CardFacts, Lesson, TaughtCard
from vision.cards import Deck, Edge, Face, Kind, Port
from vision.cards.deck import checked_deck
from vision.picture_files import PictureError, read_picture
from vision.teaching.common_table import CommonTable
from vision.teaching.declared_faces import check_faces
from vision.teaching.even_faces import turned_round
from vision.teaching.face_names import FaceNames, edges_of, find_shapes, turned_ports
from vision.teaching.rails.rail_ports import FaceRails, find_rails
from vision.teaching.taught_faces import TaughtFaces, cut_out

if TYPE_CHECKING:
    from vision.arrays import Picture
    from vision.deck_pictures import EmmaPicture
    from vision.teaching.lone_card import LoneCard

ASSUMED: Final = "How often each face occurs was taken from the standard deck, if nobody has counted."


class Reason(StrEnum):
    """Why a card should be looked at once more."""

    LOST = "lost"
    """Its photograph is gone, or beside all others no card lies in it."""
    RAILS = "rails"
    """All cards together say that its rails leave elsewhere."""
    ALIKE = "alike"
    """It looks like another card."""
    EXCHANGED = "exchanged"
    """It shows the value of another card, and that one its own."""


class CardDoubt(NamedTuple):
    """A card (its index in the lesson) that is doubtful, because of which other one or of which edges, if of any."""

    card: int
    reason: Reason
    other: int | None = None
    edges: tuple[Edge, ...] = ()


class TaughtDeck(NamedTuple):
    """A deck, pictures of its upright faces by their ids, what is doubtful, and Emma if she was taught."""

    deck: Deck
    faces: dict[str, Picture]
    doubts: tuple[CardDoubt, ...]
    emma: EmmaPicture | None = None


def make_deck(lesson: Lesson, name: str, told: Callable[[int, int], None] = lambda *_: None) -> TaughtDeck:
    """The deck of a lesson; ``told`` hears how many of how many steps are done. Raises DeckError where it is none."""
    of = 2 * len(lesson.cards) + 1
    pictures = _measured(lesson, lambda done: told(done, of))
    seen = {index: picture for index, picture in enumerate(pictures) if picture is not None}
    cards = [lesson.cards[index].facts for index in seen]
    upright, other_edges = _turned(list(seen.values()), cards, lesson.card_mm)
    rails = find_rails(upright, lesson.card_mm).faces
    usual = usual_places(rails)
    ports = [_placed(facts, found, usual) for facts, found in zip(cards, rails, strict=True)]
    names = FaceNames(find_shapes({some: ports.count(some) for some in ports}), lesson.card_mm)
    faces = [names.face(facts.value, facts.kind, some) for facts, some in zip(cards, ports, strict=True)]
    taught = TaughtFaces(faces, lesson.card_mm)
    for face, picture in zip(faces, upright, strict=True):
        taught.teach(face.id, picture)
    lost = [CardDoubt(index, Reason.LOST) for index, picture in enumerate(pictures) if picture is None]
    otherwise = [
        CardDoubt(index, Reason.RAILS, edges=edges)
        for index, edges in zip(seen, other_edges, strict=True)
        if edges is not None
    ]
    doubts = (*lost, *otherwise, *_mixed_up(taught, dict(zip((face.id for face in faces), seen, strict=True)), rails))
    deck = checked_deck(Deck(name, tuple(_in_order(faces)), lesson.card_mm, ASSUMED))
    return TaughtDeck(deck, {face.id: taught[face.id] for face in faces}, doubts, lesson.emma)


def _mixed_up(taught: TaughtFaces, indices: Mapping[str, int], rails: Sequence[FaceRails]) -> Iterator[CardDoubt]:
    """Cards that look alike, or each show the value of the other; ``indices`` are those of the faces in the lesson."""
    found = dict(zip(indices, rails, strict=True))
    mixed_up = taught.mixed_up()
    for one, other in mixed_up.alike:
        # Whose rails are seen to leave otherwise is another card, however little else shows in bad light.
        are_clear = found[one].is_clear and found[other].is_clear
        if not are_clear or edges_of(found[one].ports) == edges_of(found[other].ports):
            yield CardDoubt(indices[other], Reason.ALIKE, indices[one])
    for one, other in mixed_up.exchanged:
        yield CardDoubt(indices[other], Reason.EXCHANGED, indices[one])


def _in_order(faces: Sequence[Face]) -> list[Face]:
    """Faces as people look for them in a list: by what they are, by their rails, by their values."""
    kinds = list(Kind)
    shapes = list(dict.fromkeys(face.shape for face in sorted(faces, key=lambda face: edges_of(face.ports))))
    return sorted(faces, key=lambda face: (kinds.index(face.kind), shapes.index(face.shape), face.value))


def _measured(lesson: Lesson, told: Callable[[int], None]) -> list[Picture | None]:
    """Each card cut out as it lies, where all photographs together say that it does."""
    settled = _settled(lesson, told, glimpses=False)
    if None in settled and any(_is_glimpse(card) for card in lesson.cards):
        # Where few cards were found by their edges, those that were only glimpsed tell how the table lies, too.
        again = _settled(lesson, lambda _: None, glimpses=True)
        settled = min(settled, again, key=lambda cards: cards.count(None))
    cut_outs: list[Picture | None] = [None] * len(settled)
    for index, (card, place) in enumerate(zip(lesson.cards, settled, strict=True)):
        if place is not None:
            # Read again: all photographs together are too large to be kept.
            cut_outs[index] = cut_out(read_picture(lesson.photograph(card.number)), place, lesson.card_mm)
        told(len(lesson.cards) + index + 1)
    return cut_outs


def _settled(lesson: Lesson, told: Callable[[int], None], *, glimpses: bool) -> list[LoneCard | None]:
    """Where the cards lie; those that were only glimpsed are looked for, unless ``glimpses`` count as found."""
    table = CommonTable(lesson.card_mm)
    added = []
    for index, card in enumerate(lesson.cards):
        try:
            found = None if _is_glimpse(card) and not glimpses else card.card
            table.add(read_picture(lesson.photograph(card.number)), found)
            added.append(index)
        except PictureError:
            pass  # it is lost, and told as such
        told(index + 1)
    places: list[LoneCard | None] = [None] * len(lesson.cards)
    for index, place in zip(added, table.settled(), strict=True):
        places[index] = place
    return places


def _is_glimpse(card: TaughtCard) -> bool:
    return card.card.score == 0


def _turned(
    cut_outs: Sequence[Picture], cards: Sequence[CardFacts], card_mm: tuple[float, float]
) -> tuple[list[Picture], list[tuple[Edge, ...] | None]]:
    """The cut-outs upright, and by which other edges all of them together say that rails leave each."""
    names = FaceNames(dict.fromkeys((facts.ports for facts in cards), ""), card_mm)
    faces = [names.face(facts.value, facts.kind, facts.ports) for facts in cards]
    # A bend that lay upside down was told as such when it was shown; of others only all together tell.
    told = [turned_round(one) if facts.is_turned else one for one, facts in zip(cut_outs, cards, strict=True)]
    upright, others = [], []
    for one, check, facts in zip(told, check_faces(told, faces, card_mm).faces, cards, strict=True):
        upside_down = edges_of(turned_ports(facts.ports))
        # With just these edges it is the way up that was taken wrongly, not the rails.
        is_way_up = check.other_edges is not None and set(check.other_edges) == set(upside_down)
        # Who has put a finger on the rails of a picture has seen which way up it is.
        is_turned = check.is_turned != is_way_up and not facts.is_placed
        upright.append(turned_round(one) if is_turned else one)
        others.append(None if is_way_up or facts.is_placed else check.other_edges)
    return upright, others


def _placed(facts: CardFacts, found: FaceRails, usual: Mapping[Edge, float]) -> tuple[Port, ...]:
    """Where the rails leave that people have confirmed: by which edges they say, where on these the eye.

    Unless they have said that, too, with a finger on the card's picture.

    One card tells that worse than all together. Of 190 faces of eight decks for building 159 were right to a millimetre
    as they were read when they were shown, and 184 as they are read together.
    """
    confirmed = facts.ports
    if facts.is_placed:
        return confirmed
    if edges_of(found.ports) == edges_of(confirmed):
        return found.ports
    return tuple(Port(port.edge, usual.get(port.edge, port.offset_mm)) for port in confirmed)
