"""What several tests of the eye look at."""

import pytest

from companion.games.loknroll.robot.pictures import drawn_deck
from vision.deck_pictures import DeckPictures


@pytest.fixture(scope="session")
def own() -> DeckPictures:
    """The game's own deck with its pictures; drawing them takes seconds."""
    return drawn_deck("standard-55")
