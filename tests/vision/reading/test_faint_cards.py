"""What is faint in a picture is judged by what is plain."""

import numpy as np

from vision.faces.alignment import Fit
from vision.reading.faint_cards import (
    as_plain_as,
    could_be_blank,
    could_be_hers,
    doubtful_among,
    usual_evidence,
)


def card(likeness: float, pattern: float) -> Fit:
    return Fit(0, np.zeros((4, 2)), likeness, pattern=pattern)


def test_the_usual_evidence_is_the_middle_one() -> None:
    assert usual_evidence([card(0.9, 1.0), card(0.75, 0.5), card(0.75, 0.75)]) == 1.5
    assert usual_evidence([]) == 0.0


def test_many_stripes_like_rails_do_not_make_themselves_usual() -> None:
    plain, stripe = card(0.95, 0.95), card(0.54, 0.4)
    assert usual_evidence([plain, plain, *[stripe] * 9]) == 1.9


def test_a_card_that_was_known_tells_only_its_likeness() -> None:
    """Its pattern counts as perfect, so that nothing takes its place; in the dark no new card would be as plain."""
    assert usual_evidence([], [card(0.5, 1.0)]) == 1.0


def test_in_the_dark_less_is_enough() -> None:
    fainter, faint = card(0.4, 0.4), card(0.4, 0.45)
    assert as_plain_as(1.1, [fainter, faint]) == [faint, fainter]
    assert as_plain_as(1.9, [fainter, faint]) == []


def test_beside_plain_cards_a_faint_one_is_doubtful() -> None:
    plain, seam = card(0.97, 0.95), card(0.42, 0.46)
    assert doubtful_among(1.9, [plain, seam], clear=0.92) == [seam]
    assert doubtful_among(1.2, [seam], clear=0.92) == []


def test_one_card_that_is_clear_though_faint_is_emmas_and_several_are_stripes() -> None:
    plain, clear, other = card(0.97, 0.95), card(0.55, 0.4), card(0.54, 0.4)
    assert doubtful_among(1.9, [plain, clear], clear=0.92) == []
    assert doubtful_among(1.9, [plain, clear, other], clear=0.92) == [clear, other]


def test_emma_hides_less_than_a_hand() -> None:
    under_emma, under_a_hand = card(0.4, 0.5), card(0.27, 0.37)
    assert could_be_hers(1.8, [under_emma, under_a_hand]) == [under_emma]


def test_one_or_two_faint_cards_alone_could_be_blank_sheets() -> None:
    sheet, dark, plain = card(0.55, 0.45), card(0.65, 0.6), card(0.95, 0.9)
    assert could_be_blank([sheet])
    assert could_be_blank([sheet, sheet])
    assert not could_be_blank([sheet, sheet, sheet])
    assert not could_be_blank([dark])
    assert not could_be_blank([sheet, plain])
    assert not could_be_blank([])
