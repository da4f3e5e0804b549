"""``companion see``: reads pictures of a table, each alone or as those of one camera."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.commands.shared.errors import CommandError
from companion.games.registry import first_game
from companion.games.settings import Settings
from companion.texts.harmless import harmless, shortened
from vision.cards import DeckError
from vision.report.railway_direction import RailwayDirection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.arrays import Region
    from vision.deck_pictures import DeckPictures
    from vision.reading.emma import EmmaSighting
    from vision.reading.reader import CardReading, Reader


SMALLEST_SIDE_PX: Final = 120


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "exit status:\n  0 if every picture could be read\n\n"
        "example:\n  companion see table.jpg --deck faces --overlay seen\n  companion see game/*.jpg --stream --json"
    )
    parser.add_argument("images", metavar="IMAGE", type=Path, nargs="+", help="pictures of a table")
    parser.add_argument(
        "--deck", metavar="DECK", type=Path, help="a taught deck: folder, deck.json or ZIP (default: our own)"
    )
    parser.add_argument("--stream", action="store_true", help="pictures of one fixed camera, in order")
    parser.add_argument(
        "--show-spot",
        metavar="X,Y,WIDTH,HEIGHT",
        type=_region,
        help="where in the picture cards are shown, in px (default: wherever a card lies apart from the railway)",
    )
    parser.add_argument("--json", action="store_true", help="a JSON object a line for programs")
    parser.add_argument("--overlay", metavar="DIR", type=Path, help="write each picture with what was read drawn in")


def _region(text: str) -> Region:
    from vision.arrays import Region

    parts = text.split(",")
    if len(parts) != 4 or not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is no region; give left, top, width and height in px")
    return Region(*map(int, parts))


class _Seen(NamedTuple):
    cards: Sequence[CardReading]
    emma: EmmaSighting | None
    railway: list[int]
    hands: bool
    ms: float


class _Eye:
    """Looks at pictures, each alone."""

    def __init__(self, pictures: DeckPictures) -> None:
        from vision.reading.reader import Reader

        self.deck = pictures.deck
        self.reader: Reader = Reader(*pictures[:4])

    def look(self, picture: NDArray[np.uint8]) -> _Seen:
        from vision.report.joints import railway_order
        from vision.watching.hands import shows_hand

        start = time.perf_counter()
        cards = self.reader.read(picture)
        emma = self.reader.emma_finder.find(picture, cards)
        railway = railway_order(cards, self.deck, None if emma is None else emma.card)
        hands = shows_hand(picture)
        return _Seen(cards, emma, railway, hands, 1000 * (time.perf_counter() - start))


class _SteadyEye:
    """Looks at the pictures of one camera, in order."""

    def __init__(self, eye: _Eye) -> None:
        from vision.watching.steady_view import SteadyView

        self._deck = eye.deck
        self._view = SteadyView(eye.reader, eye.reader.emma_finder)
        self._direction = RailwayDirection()

    def look(self, picture: NDArray[np.uint8]) -> _Seen:
        from vision.report.joints import railway_order

        start = time.perf_counter()
        sight = self._view.look(picture)
        found = railway_order(sight.cards, self._deck, None if sight.emma is None else sight.emma.card)
        railway = self._direction.kept(found, sight.serials)
        return _Seen(sight.cards, sight.emma, railway, sight.hand, 1000 * (time.perf_counter() - start))


def run(options: argparse.Namespace) -> int:
    """Reads the pictures one after the other; one that cannot be read does not keep the others from it."""
    try:
        eye = _eye(options)
    except DeckError as error:
        raise CommandError(str(error)) from error
    if options.overlay:
        _make_folder(options.overlay)
    return max(_see(path, eye, options) for path in options.images)


def _eye(options: argparse.Namespace) -> _Eye | _SteadyEye:
    """What looks at the pictures; those of the faces are forgotten once they are learnt. Raises DeckError."""
    from vision.deck_pictures import read_deck_pictures

    deck = first_game().pictures(Settings()) if options.deck is None else read_deck_pictures(options.deck)
    eye = _Eye(deck)
    return _SteadyEye(eye) if options.stream else eye


def _see(path: Path, eye: _Eye | _SteadyEye, options: argparse.Namespace) -> int:
    """Tells what is seen in a picture; 1 if it cannot be read."""
    from vision.picture_files import PictureError, read_picture

    try:
        picture = read_picture(path, SMALLEST_SIDE_PX)
    except PictureError as error:
        print(shortened(error), file=sys.stderr)
        return 1
    seen = eye.look(picture)
    print(json.dumps(_as_json(path, seen, options.show_spot)) if options.json else harmless(_as_text(path, seen)))
    if options.overlay:
        _write_overlay(options.overlay / f"{path.stem}.jpg", picture, seen)
    return 0


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder}: cannot be made a folder ({error.strerror}); name another.") from error


def _as_json(path: Path, seen: _Seen, show_spot: Region | None) -> dict[str, Any]:
    from vision.report.show_spot import shown_cards

    zones = dict.fromkeys(range(len(seen.cards)), "apart")
    zones |= dict.fromkeys(shown_cards(seen.cards, seen.railway, show_spot), "show")
    zones |= dict.fromkeys(seen.railway, "railway")
    return {
        "image": path.name,
        "hands": seen.hands,
        "ms": round(seen.ms, 1),
        "cards": [
            {
                "face": card.face,
                "corners_px": card.corners_px.round(2).tolist(),
                "zone": zones[index],
                "likeness": round(card.likeness, 3),
                "probability": round(card.probability, 3),
                "others": list(card.others),
            }
            for index, card in enumerate(seen.cards)
        ],
        "emma": None if seen.emma is None else {"foot_px": [round(float(part), 1) for part in seen.emma.foot_px]},
        "railway": [seen.cards[index].face for index in seen.railway],
    }


def _as_text(path: Path, seen: _Seen) -> str:
    if not seen.cards:
        return f"{path}: no card ({seen.ms:.0f} ms)"
    emma = None if seen.emma is None else seen.emma.card
    railway = " ".join(f"[{seen.cards[card].face}]" if card == emma else seen.cards[card].face for card in seen.railway)
    apart = [card.face for index, card in enumerate(seen.cards) if index not in seen.railway]
    beside = f"; apart: {' '.join(apart)}" if apart else ""
    return f"{path}: railway {railway}{beside} ({seen.ms:.0f} ms)"


def _write_overlay(path: Path, picture: NDArray[np.uint8], seen: _Seen) -> None:
    import cv2

    from vision.report.overlay import overlay

    _, packed = cv2.imencode(".jpg", overlay(picture, seen.cards, seen.railway, seen.emma))
    try:
        path.write_bytes(packed.tobytes())
    except OSError as error:
        raise CommandError(f"{path}: cannot be written ({error.strerror}); name another folder.") from error
