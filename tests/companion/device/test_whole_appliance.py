"""The appliance as a whole: from pins and pixels to the memory of the screen."""

from pathlib import Path

from companion.games.loknroll.rules import Lay, Mode, Phase, Roll
from tests.companion.device.whole_games import check_cards, check_end, play_whole_game
from vision.deck_pictures import DeckPictures


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
