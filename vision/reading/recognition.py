"""What lies at a place in a picture: which face is printed there, and where exactly that lies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats, Points
from vision.faces.fit import Fit, Seen
from vision.faces.matching.face_matcher import Match
from vision.reading.learnt_deck import LearntDeck
from vision.reading.searched_picture import SearchedPicture

_LIKE_A_BACK: Final = 4.6
"""As a logarithm: what is no more probable than this beside the back may be that as well."""
_ALIGNED: Final = 3
"""So many faces are moved to where they fit best."""
_BY_CHANCE: Final = 0.0125
_LESS_OFTEN: Final = 27.0
"""By how much less often (a logarithm) the best of these faces is by one more alike as a whole where none lies, and
from where on: of 1,348 such places on 149 tables of 50 decks for building half had 0.038 and more, one in ten 0.095,
one in a hundred 0.192, one in a thousand 0.266. Of 13 that had edges like a card's none had more than 0.085, of 41
where these were in doubt none more than 0.13."""
_STRENGTH: Final = 0.1
"""So strongly a face has to show for the light there: at 37 places of cards of which little more than the edges showed
34 did so, and 26 twice as strongly. Of 27 places with edges where none lay 23 showed less."""
_LEAST: Final = 1e-9
"""So improbable it is at least that none lies there: probabilities are summed up no more exactly."""
_LEAST_SIDE_PX: Final = 8
_PROPORTION_SPREAD: Final = 0.3
_MOST_SLANT: Final = 0.35
_MOST_TAPER: Final = 1.2
"""How much narrower or longer than a card (a logarithm), how slanted (a cosine), and how much longer on one side than
on the other one is seen at most by a tilted camera: of 1,500 cards none was by more than 0.22, 0.29 and 1.06."""


class Print(NamedTuple):
    """A face (its index) that is read at some corners (4 × 2, px, of the upright face).

    ``surprise`` is the logarithm of how improbable it is that no card of the deck lies just there: 0 and more. ``seen``
    is how likely that and each other face is.
    """

    face: int
    corners: Corners
    surprise: float
    seen: Seen

    @property
    def may_be_face_up(self) -> bool:
        """Whether any face is not much less probable than what was read."""
        return float(np.logaddexp.reduce(self.seen.faces, axis=None)) > -_LIKE_A_BACK


class Recognizer:
    """Recognizes the cards of one picture at the places that it is asked about."""

    def __init__(self, picture: SearchedPicture, deck: LearntDeck) -> None:
        self._picture, self._half = picture.whole, picture.half
        self._card_mm, self._faces = deck.shape.card_mm, len(deck.ids)
        self._backs = deck.backs
        self._matcher, self._patterns, self._placer, self._faint = deck.matcher, deck.patterns, deck.placer, deck.faint
        # Where nothing is read the same places are asked about in round after round.
        self._read_there: dict[bytes, Match] = {}
        self._framed_there: dict[bytes, Print | None] = {}

    def read(self, places: Iterable[Corners]) -> Print | None:
        """What is read at the one of these places (px, to 2 mm) where it is surest that a card lies.

        None where none of the places is like a card's outline.
        """
        found: Print | None = None
        for corners in places:
            if not is_card_shaped(corners, self._card_mm):
                continue
            match = self._match(corners)
            if found is None or -match.none > found.surprise:
                face, turned = self._likeliest(match.faces)
                upright = np.roll(corners, 2 * turned, axis=0)
                seen = Seen(upright, match.faces[: self._faces, ::-1] if turned else match.faces[: self._faces])
                found = Print(face, upright, -match.none, seen)
        return found

    def read_framed(self, corners: Corners) -> Print | None:
        """What is read where the edges of a card are seen (px, to 6 mm), however faintly a face shows there.

        The faces that look most like it are moved to where they fit exactly, and how alike the best one is then as a
        whole adds to the surprise. None if none shows as strongly as the light lets it, or is more alike than a back.
        """
        place = corners.tobytes()
        if place not in self._framed_there:
            self._framed_there[place] = self._framed(corners)
        return self._framed_there[place]

    def _framed(self, corners: Corners) -> Print | None:
        face, back = self._faintly(corners, range(self._faces), _STRENGTH), self._faintly(corners, self._backs)
        if face is None or (back is not None and back.likeness >= face.likeness):
            return None
        seen = self._match(face.corners).faces[: self._faces]
        by_network = -math.log(max(1 - float(np.exp(seen).sum()), _LEAST))
        by_likeness = max(0.0, face.likeness - _BY_CHANCE) * _LESS_OFTEN
        likeliest, turned = divmod(int(seen.argmax()), 2)
        upright = np.roll(face.corners, 2 * turned, axis=0)
        return Print(likeliest, upright, by_network + by_likeness, Seen(upright, seen[:, ::-1] if turned else seen))

    def _match(self, corners: Corners) -> Match:
        place = corners.tobytes()
        if place not in self._read_there:
            self._read_there[place] = self._matcher.match(self._picture, corners)
        return self._read_there[place]

    def _faintly(self, corners: Corners, faces: Sequence[int], least: float = -math.inf) -> Fit | None:
        """The one of some faces that is most like what lies about there, where it fits exactly.

        Only those count that show there at ``least`` as strongly.
        """
        aligned = []
        for way in (corners, np.roll(corners, 1, axis=0)):
            likeliest = self.likeliest(way, faces, _ALIGNED) if is_card_shaped(way, self._card_mm) and faces else []
            for fit in likeliest:
                _, exact = self._placer.placed(self._picture, fit.corners, fit.face, is_flat=True)
                shown = self._faint.compared(self._picture, exact, fit.face)
                if shown.strength >= least:
                    aligned.append(fit._replace(corners=exact, likeness=shown.likeness))
        return max(aligned, key=lambda fit: fit.likeness, default=None)

    def _likeliest(self, odds: Floats) -> tuple[int, int]:
        """The likeliest face, or the back if that is not much less likely, and whether it is turned (0 or 1)."""
        face, turned = divmod(int(odds.argmax()), 2)
        backs = odds[self._faces :]
        if backs.size and backs.max() > odds.max() - _LIKE_A_BACK:
            face, turned = divmod(self._faces * 2 + int(backs.argmax()), 2)
        return face, turned

    def laid_on(self, card: Print, *, is_flat: bool) -> Fit:
        """The card where it lies exactly; whether one ``is_flat`` there is known."""
        likeness, exact = self._placer.placed(self._picture, card.corners, card.face, is_flat=is_flat)
        patterns = [(self._patterns.likeness(self._half, place, card.face), place) for place in (exact, card.corners)]
        pattern, place = max(patterns, key=lambda one: one[0])
        return Fit(card.face, place, likeness, card.surprise, pattern, seen=card.seen)

    def likeliest(self, corners: Corners, faces: Sequence[int], most: int) -> list[Fit]:
        """So many of these faces as they would lie there either way up, those first whose pattern is most alike."""
        fits = [
            Fit(face, way, pattern=pattern)
            for way in (corners, np.roll(corners, 2, axis=0))
            for face, pattern in zip(faces, self._patterns.likenesses(self._half, way, faces), strict=True)
        ]
        return sorted(fits, key=lambda fit: -fit.pattern)[:most]

    def laid_exactly(
        self, fit: Fit, straight: Corners, hidden_px: Points | None, believed: Corners | None, *, is_flat: bool
    ) -> Corners:
        """Where the same card lies exactly that lies about as a flat one would at the ``straight`` corners (px).

        Whether it ``is_flat`` just there is known, or how the table lies in doubt. Something may hide what is within
        ``hidden_px`` (n × 2), and ``believed`` is where it was seen to lie before its print told that (px).
        """
        return self._placer.laid_exactly(self._picture, straight, fit.face, hidden_px, believed, is_flat=is_flat)

    def partly_hidden(self, fit: Fit, hidden_px: Points) -> Fit:
        """The same card where it lies exactly, and as alike as that is which shows of it."""
        likeness, corners = self._placer.placed(self._picture, fit.corners, fit.face, hidden_px)
        pattern = self._patterns.likeness(self._half, corners, fit.face)
        return fit._replace(likeness=likeness, corners=corners, pattern=pattern)


def is_card_shaped(corners: Corners, card_mm: tuple[float, float]) -> bool:
    """Whether a card may be seen so: convex, not much slanted, and its sides of about a card's proportion."""
    if not cv2.isContourConvex(corners.astype(np.float32)):
        return False
    # Python's own numbers: of so few numpy takes ten times as long, and this is asked at each place.
    a, b, c, d = (complex(x, y) for x, y in corners.tolist())
    sides = (b - a, c - b, d - c, a - d)
    upper, right, lower, left = lengths = [max(abs(side), 1e-6) for side in sides]
    tapers = (upper / lower, lower / upper, right / left, left / right)
    slants = (abs((side.conjugate() * other).real) / abs(side * other) for side, other in pairwise((*sides, sides[0])))
    width, height = (upper + lower) / card_mm[0], (right + left) / card_mm[1]
    return (
        min(lengths) > _LEAST_SIDE_PX
        and max(tapers) < _MOST_TAPER
        and max(slants) < _MOST_SLANT
        and abs(math.log(width / height)) < _PROPORTION_SPREAD
    )
