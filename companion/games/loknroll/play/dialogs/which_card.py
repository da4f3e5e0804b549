"""A card that the camera cannot tell: the rules say what it may be, and people are asked where that leaves a choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.choosing import BUTTONS
from companion.games.loknroll.play.dialogs.corrections import correct_card
from companion.games.loknroll.play.laying import is_near, tidied
from companion.games.loknroll.play.trouble import is_settled
from companion.games.loknroll.play.words import Words
from companion.games.loknroll.rules import AnyStep, Discard, Draw, Lay, Phase, SetAside, StartCard
from companion.games.loknroll.table.maps import railway_map
from companion.screen.screen import MapCard, RailwayMap, Screen
from hardware.buttons import Button
from vision.cards import Face
from vision.watching.table_reading import SeenCard

_FIRST: Final = 1
"""No card is on ROLL: whoever lays one and rolls at once must not have chosen by that."""
_MOST: Final = 3


class Candidate(NamedTuple):
    """A face that a card may have, and how it is turned then from the way in which it was read."""

    face: Face
    turn_deg: float = 0.0


class WhichCard:
    """The question which of a few cards it is: one press. It is dropped when that is seen, or the card taken away."""

    def __init__(self, card: SeenCard, candidates: Sequence[Candidate]) -> None:
        """``candidates`` are two or three, the likeliest first."""
        self.card = card
        self._candidates = tuple(candidates)

    def is_moot(self, desk: Desk) -> bool:
        """Whether there is nothing to ask any more, or something else."""
        table = desk.table
        if table is None:
            return desk.is_blind
        asked = [card for card in desk.memory.fresh(table) if card.serial == self.card.serial]
        return not any(set(candidates(desk, card)) == set(self._candidates) for card in asked)

    def button_for(self, face: str) -> Button | None:
        """What to press if it is this one."""
        pairs = zip(BUTTONS[_FIRST:], self._candidates, strict=False)
        return next((button for button, candidate in pairs if candidate.face.id == face), None)

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """BACK: it is none of them."""
        place = BUTTONS.index(button) - _FIRST
        if button is Button.BACK:
            desk.close()
            correct_card(desk, self.card)
        elif 0 <= place < len(self._candidates):
            desk.close()
            face, turn_deg = self._candidates[place]
            desk.memory.rename(self.card, face.id, turn_deg)

    def screen(self, desk: Desk) -> Screen:
        faces = [candidate.face for candidate in self._candidates]
        *names, last = desk.word.apart(faces, ())
        one, two, three = (*_signs(faces), "")[:_MOST]
        keys = ("", one, two, three, desk.word("key-other"))
        main = desk.word("either", cards=names, last=last)
        return Screen(heading=desk.word("title-which-card"), main=main, map=self._map(desk), keys=keys)

    def _map(self, desk: Desk) -> RailwayMap | None:
        """Where it lies, if that is at the railway."""
        face, picture = self._candidates[0].face, railway_map(desk.state)
        if picture is None or not is_near(desk.state.railway, face, self.card):
            return None
        return replace(picture, new=MapCard(self.card.pose, face.size_mm, "?"))


def clarify(desk: Desk) -> bool:
    """Finds out what the cards are that the camera cannot tell; says whether people have to be asked.

    What makes no difference to the rules, or can only be one card, is no question.
    """
    table = tidied(desk)
    if table is None:
        return False
    for card in desk.memory.fresh(table):
        found = candidates(desk, card) if card.others else []
        if len(found) > 1:
            if desk.dialog is None:
                desk.open(WhichCard(card, found))
                desk.sound("turn")
            return True
        for face, turn_deg in found:
            desk.memory.rename(card, face.id, turn_deg)
    return False


def candidates(desk: Desk, card: SeenCard) -> list[Candidate]:
    """As what a card can count now, the likeliest first; of faces that count alike only one."""
    drawn = desk.state.drawn
    if drawn is not None and card.may_be(drawn.id) and is_near(desk.state.railway, drawn, card):
        return [Candidate(drawn)]  # also while it is not in its place yet
    # Until all lies as it must, penalty cards are on their way, and nobody has drawn.
    if desk.state.phase is Phase.DRAWING and not is_settled(desk):
        return []
    found: dict[object, Candidate] = {}
    for name in (card.face, *card.others):
        face = desk.state.setup.deck[name]
        for turn_deg in (0.0, 180.0):
            meaning = _meaning(desk, face, card, turn_deg)
            if meaning is not None:
                found.setdefault(meaning, Candidate(face, turn_deg))
                break
    return list(found.values())[:_MOST]


def _meaning(desk: Desk, face: Face, card: SeenCard, turn_deg: float) -> object | None:
    """What counts for the rules of a card with this face; None where it cannot be that card."""
    if desk.state.phase is Phase.LAYING_OPEN:
        return face.value if desk.can_be_added(face.id) else None
    if desk.game.can(SetAside(face.id)) and not (face.is_track and is_near(desk.state.railway, face, card)):
        return SetAside  # it is shuffled in again
    pose = card.pose.moved(0, 0, turn_deg)
    steps: tuple[AnyStep, ...] = (StartCard(face.id, pose), Lay(face.id, pose), Draw(face.id), Discard(face.id))
    return (face.value, face.kind, face.ports) if any(map(desk.game.can, steps)) else None


def _signs(faces: Sequence[Face]) -> list[str]:
    """What tells these faces apart, as signs for keys."""
    values, signs = [str(face.value) for face in faces], [Words.sign(face) for face in faces]
    both = [f"{value}{sign}" for value, sign in zip(values, signs, strict=True)]
    return next((told for told in (values, signs) if len(set(told)) == len(faces)), both)
