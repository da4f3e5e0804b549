"""Judges what is faint in a picture by what is plain: all its cards are about as plain to see, but for Emma's.

What is no card, as the seam of a table in line with the rails, is far less plain than the cards beside it. In the dark
all cards are faint, and then so is what they need to be taken for cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.faces.alignment import Fit
from vision.reading.recognition import evidence

_AS_PLAIN: Final = 0.72
"""Of the others' evidence: from here on it is a card; what is none, or is misread, comes to less."""
_DOUBTFUL: Final = 0.62
"""Of the others' evidence: no card comes to less that is not hidden; the seam of a table comes to half of it."""
_HIDDEN: Final = 0.4
"""Emma leaves more of the others' evidence than this; what hides more, a hand, hides which card it is."""
_ALONE: Final = 1.15
"""What the plainest of one or two cards has at least: a blank sheet with a line comes to 1.04, a card in the dark to
1.25 (the lowest of 2,000 rendered tables)."""
_SUPPORTED: Final = 3


def usual_evidence(found: Sequence[Fit], known: Sequence[Fit] = ()) -> float:
    """How plain a card of this picture is (``vision.reading.recognition.evidence``), 0 where there is none.

    Of cards that were ``known`` before only the likeness is told.
    """
    plainness = np.array([*map(evidence, found), *(2 * fit.likeness for fit in known)])
    # A striped cloth can be like rails in fifty places, which would make those usual and the few cards rare.
    return float(np.median(plainness[plainness >= _DOUBTFUL * plainness.max()])) if len(plainness) else 0.0


def as_plain_as(usual: float, faint: Sequence[Fit]) -> list[Fit]:
    """Those of the faint that are about as plain as is usual, the plainest first."""
    return sorted((fit for fit in faint if evidence(fit) >= _AS_PLAIN * usual), key=evidence, reverse=True)


def doubtful_among(usual: float, found: Sequence[Fit], clear: float) -> list[Fit]:
    """Those of the cards that are so much fainter than is usual that they are cards only if Emma hides them.

    One alone that has ``clear`` evidence for all that is hers, even if she is not made out; several are stripes.
    """
    doubtful = [fit for fit in found if evidence(fit) < _DOUBTFUL * usual]
    unclear = [fit for fit in doubtful if evidence(fit) < clear]
    return unclear if len(doubtful) == len(unclear) + 1 else doubtful


def could_be_hers(usual: float, faint: Sequence[Fit]) -> list[Fit]:
    """Those of the faint that may be a card on which Emma stands."""
    return [fit for fit in faint if evidence(fit) >= _HIDDEN * usual]


def could_be_blank(found: Sequence[Fit]) -> bool:
    """Whether these may as well be blank sheets with a line: a few faint cards; more of them bear each other out."""
    return 0 < len(found) < _SUPPORTED and max(map(evidence, found)) < _ALONE
