"""Cards are seen in the light of others that are like them."""

from __future__ import annotations

import numpy as np

from vision.faces.matching.card_light import in_light_of

FACE = np.random.default_rng(1).integers(60, 200, (176, 126, 3), np.uint8)
ALL = np.ones(FACE.shape[:2], np.float32)
YELLOW = np.array([0.4, 0.8, 1.1])


def test_a_lamp_and_what_lies_on_the_card_change_nothing() -> None:
    card = (FACE * YELLOW).round().astype(np.uint8)
    card[40:100, 30:90] = 3
    lit = in_light_of(card, FACE, ALL)
    assert np.abs(lit[110:].astype(int) - FACE[110:]).max() <= 4
    assert lit[50, 50].max() < 15  # what is black stays so


def test_only_what_counts_is_looked_at() -> None:
    card = (FACE * YELLOW).round().astype(np.uint8)
    card[:120] = 3
    counts = np.zeros_like(ALL)
    assert (in_light_of(card, FACE, counts) == card).all()
    counts[120:] = 1
    assert np.abs(in_light_of(card, FACE, counts)[120:].astype(int) - FACE[120:]).max() <= 4


def test_what_is_black_stays_black_and_what_shines_gets_no_whiter_than_white() -> None:
    assert in_light_of(np.zeros_like(FACE), FACE, ALL).max() == 0
    card = FACE // 2
    card[:10] = 250
    assert (in_light_of(card, FACE, ALL)[:10] == 255).all()
