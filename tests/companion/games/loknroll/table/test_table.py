"""Which of the cards that are seen are those of the railway, whatever axes the camera has."""

import pytest

from companion.games.loknroll.rules.railway.railway import LaidCard, Railway
from companion.games.loknroll.table.comparison import compared
from vision.cards import Pose, standard_deck
from vision.watching.table_reading import SeenCard, TableReading

STRAIGHT = standard_deck("standard-55")["track-4-straight"]
ROW = Railway((LaidCard(STRAIGHT, Pose(-97.5, -27.6, 274.5)), LaidCard(STRAIGHT, Pose(-9.7, -20.2, 93.1))))


@pytest.mark.parametrize("moved_mm", [0.0, 90.0])
def test_a_row_of_one_face_is_not_taken_for_its_other_way_round(moved_mm: float) -> None:
    """Turned about its middle it lies just as well there: that its cards are the same ones tells."""
    known = [SeenCard(STRAIGHT.id, card.pose, number) for number, card in enumerate(ROW.cards) if card.pose]
    serials = dict(zip(ROW.cards, (0, 1), strict=True))
    first = compared(ROW, None, (), TableReading(tuple(known)), None, serials=serials)
    laid = SeenCard(STRAIGHT.id, Pose(78.1, -17.0, 92.0), 2)
    seen = [
        SeenCard(card.face, Pose(card.pose.x_mm + moved_mm, card.pose.y_mm, card.pose.rotation_deg), card.serial)
        for card in (*known, laid)
    ]
    table = compared(ROW, None, (), TableReading(tuple(seen)), first.shift, serials=serials)
    assert [card.serial for card in table.found if card] == [0, 1]
    (new,) = table.new
    assert new.serial == 2
    assert new.pose.x_mm == pytest.approx(78.1, abs=3)
