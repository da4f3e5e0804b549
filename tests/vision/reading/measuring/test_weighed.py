"""What is watched while a table is read is what the reader decided, and it is judged by what lies there."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.tools import measure_thresholds
from tests.tools.measure_thresholds import DECISIONS, WeighedTable, diagram, lines, parted, relations
from tests.vision.reading.measuring import weighed
from tests.vision.reading.measuring.weighed import Told, TrueTable, Watched, Weighed, watched, without_emma
from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import Table, table_of
from vision.faces.fit import Fit
from vision.reading import place_search, seen_places


@pytest.fixture(scope="module")
def table(own_eye: Eye) -> Table:
    return table_of(own_eye.pictures, 0, "easy")


@pytest.fixture(scope="module")
def seen(own_eye: Eye, table: Table) -> Watched:
    with watched() as seen:
        own_eye.reader.read(table.picture)
    return seen


def cases(seen: Watched, truth: TrueTable, eye: Eye) -> dict[str, list[Weighed]]:
    found = list(weighed.weighed(seen, truth, [face.id for face in eye.pictures.deck.faces]))
    return {one.what: [case for case in found if case.decision == one.what] for one in DECISIONS}


def above(found: dict[str, list[Weighed]], kinds: set[str]) -> bool:
    """Whether there are true cases of all these kinds, and all are above their thresholds."""
    return all(
        min((case.value for case in found[one.what] if case.is_true), default=-math.inf) >= one.threshold
        for one in DECISIONS
        if one.what in kinds
    )


def test_every_card_of_an_easy_table_is_a_true_case_above_the_thresholds(
    seen: Watched, table: Table, own_eye: Eye
) -> None:
    found = cases(seen, TrueTable(table.truth), own_eye)
    for kind in (weighed.EDGES, weighed.PRINT):
        assert sum(case.is_true for case in found[kind]) == len(table.truth["cards"])
    assert above(found, {weighed.EDGES, weighed.PRINT, weighed.EMMA})


def test_the_odds_of_a_face_that_spots_told_are_kept_with_whether_it_is_right(table: Table, own_eye: Eye) -> None:
    ids = [face.id for face in own_eye.pictures.deck.faces]
    card = table.truth["cards"][0]
    face, other = ids.index(card["face"]), (ids.index(card["face"]) + 1) % len(ids)
    odds = ((face, np.float64(2.0), np.float64(1.0)), (other, np.float64(1.0), np.float64(0.0)))
    right = Fit(face, np.array(card["corners_px"]), 0.5, odds=odds)
    told = [Told(right, right), Told(right, right._replace(face=other))]
    weighed_by_it = weighed.weighed(Watched([], [], [], [], told), TrueTable(table.truth), ids)
    found = msgspec.json.decode(msgspec.json.encode(list(weighed_by_it)), type=list[Weighed])
    assert [one for one in found if one.decision == weighed.ODDS] == [(weighed.ODDS, 2.0, True)] * 2


def test_the_cards_of_another_table_are_false_cases(seen: Watched, own_eye: Eye) -> None:
    other = TrueTable(table_of(own_eye.pictures, 1, "easy").truth)
    found = cases(seen, other, own_eye)
    assert any(not case.is_true for case in found[weighed.PRINT])
    assert not any(case.is_true for case in found[weighed.EMMA])


def test_on_cards_that_do_not_carry_her_emma_is_less_plain(seen: Watched, table: Table, own_eye: Eye) -> None:
    truth, read = TrueTable(table.truth), own_eye.reader.read(table.picture)
    hers = max(case.value for case in cases(seen, truth, own_eye)[weighed.EMMA] if case.is_true)
    assert without_emma(table.picture, read, truth, own_eye.finder).value < hers / 2


def test_nothing_is_watched_any_more_afterwards(seen: Watched, table: Table, own_eye: Eye) -> None:
    count = len(seen.matches)
    own_eye.reader.read(table.picture)
    assert count == len(seen.matches) > 0
    assert place_search.edged is seen_places.edged


def test_thresholds_are_not_measured_on_decks_for_measuring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setattr("sys.argv", ["measure_thresholds", "--decks", "999-1000", "--kept", str(kept)])
    with pytest.raises(SystemExit, match="for measuring"):
        measure_thresholds.main()
    assert not kept.exists()


def test_cases_on_the_wrong_side_are_counted_and_shown() -> None:
    odds = DECISIONS[-1]
    values = [(1.9, True), (4.0, True), (9.0, True), (1.0, False), (4.0, False)]
    tables = [WeighedTable(12, 0, "", [Weighed(odds.what, value, is_true) for value, is_true in values])]
    one = parted(tables, odds)
    assert (one.lost, one.let_in) == ((1, 3), (1, 2))
    assert (one.worst_true, one.best_false) == (1.9, 4.0)
    assert math.isnan(parted(tables, DECISIONS[0]).worst_true)
    assert "1.90  0.3333" in list(lines(tables))[-1]
    told = [line.split() for line in relations(tables)]
    assert [(line[0], line[2], line[-3:]) for line in told[1:]] == [
        ("1", "2", ["1", "of", "2)"]),
        ("4", "6", ["1", "of", "2)"]),
        ("8", "20", ["1", "of", "1)"]),
    ]
    assert "1 of 3 true lost, 1 of 2 false let in" in diagram(tables).svg()
