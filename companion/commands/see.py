"""``companion see``: reads pictures of a table, each alone."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.cli import CommandError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.cards import Deck
    from vision.emma import EmmaFinder, EmmaSighting
    from vision.reading import CardReading, Reader


SMALLEST_SIDE_PX: Final = 120


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = (
        "exit status:\n  0 if every picture could be read\n\n"
        "example:\n  companion see table.jpg --deck faces --overlay seen"
    )
    parser.add_argument("images", metavar="IMAGE", type=Path, nargs="+", help="pictures of a table")
    parser.add_argument("--deck", metavar="DIR", type=Path, help="a taught deck (default: our own)")
    parser.add_argument("--json", action="store_true", help="a JSON object a line for programs")
    parser.add_argument("--overlay", metavar="DIR", type=Path, help="write each picture with what was read drawn in")


class _Seen(NamedTuple):
    cards: list[CardReading]
    emma: EmmaSighting | None
    railway: list[int]
    hands: bool
    ms: float


class _Eye:
    """All that looks at a picture."""

    def __init__(self, deck: Deck, faces: dict[str, NDArray[np.uint8]]) -> None:
        from vision.emma import EmmaFinder
        from vision.reading import Reader

        self.deck = deck
        self._reader: Reader = Reader(deck, faces)
        self._emma: EmmaFinder = EmmaFinder(faces, deck.card_mm)

    def look(self, picture: NDArray[np.uint8]) -> _Seen:
        from vision.hands import guess_hand
        from vision.joints import railway_order

        start = time.perf_counter()
        cards = self._reader.read(picture)
        emma = self._emma.find(picture, cards)
        railway = railway_order(cards, self.deck, None if emma is None else emma.card)
        hands = guess_hand(picture, [card.corners_px for card in cards])
        return _Seen(cards, emma, railway, hands, 1000 * (time.perf_counter() - start))


def run(options: argparse.Namespace) -> int:
    """Reads the pictures one after the other; one that cannot be read does not keep the others from it."""
    from vision.cards import DeckError
    from vision.picture_files import PictureError, read_picture

    try:
        eye = _Eye(*_taught(options.deck))
    except DeckError as error:
        raise CommandError(str(error)) from error
    status = 0
    if options.overlay:
        _make_folder(options.overlay)
    for path in options.images:
        try:
            picture = read_picture(path, SMALLEST_SIDE_PX)
        except PictureError as error:
            print(error, file=sys.stderr)
            status = 1
            continue
        seen = eye.look(picture)
        print(json.dumps(_as_json(path, seen)) if options.json else _as_text(path, seen))
        if options.overlay:
            _write_overlay(options.overlay / f"{path.stem}.jpg", picture, seen)
    return status


def _taught(path: Path | None) -> tuple[Deck, dict[str, NDArray[np.uint8]]]:
    from companion.loknroll import load_edition
    from companion.pictures import drawn_deck
    from vision.deck_images import read_face_images

    if path is None:
        own = drawn_deck(load_edition().deck)
        return own.deck, own.faces
    return read_face_images(path)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder}: cannot be made a folder ({error.strerror}); name another.") from error


def _as_json(path: Path, seen: _Seen) -> dict[str, Any]:
    return {
        "image": path.name,
        "hands": seen.hands,
        "ms": round(seen.ms, 1),
        "cards": [
            {
                "face": card.face,
                "corners_px": card.corners_px.round(2).tolist(),
                "zone": "railway" if index in seen.railway else "show",
                "likeness": round(card.likeness, 3),
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

    from vision.overlay import overlay

    _, packed = cv2.imencode(".jpg", overlay(picture, seen.cards, seen.railway, seen.emma))
    try:
        path.write_bytes(packed.tobytes())
    except OSError as error:
        raise CommandError(f"{path}: cannot be written ({error.strerror}); name another folder.") from error
