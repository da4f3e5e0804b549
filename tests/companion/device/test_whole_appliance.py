"""The appliance as a whole: from pins and pixels to the memory of the screen."""

from collections.abc import Collection
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.games.loknroll.rules import Lay, Mode, Phase, Roll
from companion.games.loknroll.table.eyes import CardEyes
from tests.companion.device.whole_games import check_cards, check_end, play_whole_game
from vision.arrays import Picture
from vision.cards import Deck
from vision.deck_pictures import DeckPictures
from vision.watching.steady_view import Still
from vision.watching.table_reading import SeenCard, TableReading


def test_a_short_game_with_the_automaton_through_pins_pixels_and_the_screens_memory(
    coarse_own: DeckPictures, tmp_path: Path
) -> None:
    played = play_whole_game(tmp_path, coarse_own, Mode.BETSY, seed=2, drawn=2, hand_cards=2, size=(738, 554))
    check_end(played)
    check_cards(played)
    turns = zip(played.game.states, played.game.steps, strict=False)
    assert {before.is_automatons_turn for before, step in turns if isinstance(step, Lay)} == {True, False}
    rolls = sum(isinstance(step, Roll) for step in played.game.steps)
    assert rolls
    assert played.presses[Phase.BUILDING, "roll"] == rolls


def with_a_twin(card: SeenCard, deck: Deck) -> SeenCard:
    """What an eye says that cannot tell two values: of every second card it takes the wrong one first."""
    face = deck[card.face]
    twin = next(
        (
            other.id
            for other in deck.faces
            if (other.kind, other.ports, (other.value - 1) ^ 1) == (face.kind, face.ports, face.value - 1)
        ),
        None,
    )
    if twin is None or not face.is_track:  # which chaos card is set aside is not asked
        return card
    if card.serial % 2:
        return replace(card, face=twin, others=(face.id,))
    return replace(card, others=(twin,))


def test_an_eye_that_cannot_tell_values_guesses_none(
    coarse_own: DeckPictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever lays the cards answers with the buttons: everything is in the record as what it was."""
    look = CardEyes.look

    def twice(eyes: CardEyes, picture: Picture, expected: Collection[str], still: Still) -> TableReading:
        reading = look(eyes, picture, expected, still)
        return replace(reading, cards=tuple(with_a_twin(card, coarse_own.deck) for card in reading.cards))

    monkeypatch.setattr(CardEyes, "look", twice)
    played = play_whole_game(tmp_path, coarse_own, Mode.BETSY, seed=2, drawn=2, hand_cards=2, size=(738, 554))
    check_end(played)
    check_cards(played)
    assert {button for _, button in played.presses} >= {"pass", "up"}
