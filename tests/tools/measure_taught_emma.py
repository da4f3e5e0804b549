"""How often Emma is seen rightly before and after she was taught, whatever stands for her; run it with `python -P`.

Each deck is taught six figures, each put on a card before another camera. On its tables something else lies on another
card. With `--fit` the weights are fitted by which the eye judges, in place of being measured.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from tests.vision.random_decks.colours import channels, of_hls
from tests.vision.random_decks.random_deck import as_photographed, random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.unseen_tables import renderer_of, session_of
from vision.arrays import Corners, Floats, Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures, EmmaPicture
from vision.reading.emma import EmmaFinder
from vision.reading.emma.emma_network import seen_on, shown_as
from vision.reading.emma.taught_emma import TaughtEmma, told
from vision.reading.emma.taught_look import TaughtLook
from vision.rendering import Emma, EmmaLook, LyingCard, Scene
from vision.rendering.conditions import Conditions, draw_conditions
from vision.rendering.scene import Block, Coin, Mug
from vision.rendering.truth import picture_truth
from vision.teaching.emma_on_card import EmmaNotFoundError, emma_on_card
from vision.teaching.lone_card import LoneCard
from vision.teaching.taught_faces import cut_out

MAKES: Final = ("engine", "board", "folded", "pawn", "meeple", "disc")
THINGS: Final = ("coin", "die", "pencil", "mug")
TABLES: Final = 2
UNEVEN_PX: Final = 0.5


class Reading(NamedTuple):
    face: str
    corners_px: Corners


class Seen(NamedTuple):
    """A table: its picture, its cards, and on which of them she stands."""

    picture: Picture
    cards: list[Reading]
    home: int | None


def figure(make: str, random: Random) -> EmmaLook:
    """A figure of this sort in any colour; paper is printed black."""
    look = random_emma(random.randrange(1 << 20))
    if make == "folded":
        return replace(look, body=(23, 25, 28), wheels=(200, 196, 180), dome=(244, 234, 210), make="folded")
    if make == "disc":
        metal = channels(random.choice(("#be963c", "#b4b4b8", "#a0603c")))
        return replace(look, body=metal, make="disc")
    return replace(look, make=make)


def thing(kind: str, at: tuple[float, float], random: Random) -> Coin | Block | Mug:
    """What lies on a card, or reaches over it, and is not she."""
    colour = channels(of_hls(random.random(), random.uniform(0.2, 0.6), random.uniform(0.3, 0.9)))
    turned = Pose(*at, random.uniform(0, 180))
    match kind:
        case "coin":
            return Coin(at, random.uniform(8, 13), (190, 150, 60))
        case "die":
            return Block(turned, (15, 15, 15), colour)
        case "pencil":
            return Block(turned, (8, 120, 7), colour)
        case _:
            return Mug((at[0] - 45, at[1] - 30), colour=colour)


def photographed(pictures: DeckPictures, scene: Scene, conditions: Conditions, seed: int) -> Seen:
    view = renderer_of(pictures, conditions)
    photograph = view.photograph(scene, conditions.light, conditions.sensor, seed)
    picture = cv2.imdecode(np.frombuffer(photograph.jpeg(conditions.sensor), np.uint8), cv2.IMREAD_COLOR)
    truth, uneven = picture_truth(view, pictures.deck, scene, photograph.visible), np.random.default_rng(seed)
    cards = [
        Reading(one["face"], np.array(one["corners_px"]) + uneven.normal(0, UNEVEN_PX, (4, 2)))
        for one in truth["cards"]
    ]
    hers = None if truth["emma"] is None else truth["emma"]["serial"]
    homes = [at for at, one in enumerate(truth["cards"]) if one["serial"] == hers and not one["show"]]
    return Seen(np.asarray(picture, np.uint8), cards, homes[0] if homes and hers is not None else None)


def taught(pictures: DeckPictures, look: EmmaLook, random: Random) -> EmmaPicture:
    """Her picture, as a camera takes it that has just seen the card without her; raises EmmaNotFoundError."""
    conditions = draw_conditions(random.choice(("easy", "normal")), random)._replace(clutter=())
    face = random.choice([face.id for face in pictures.deck.faces if face.is_track])
    pose = Pose(360 + random.gauss(0, 20), 300 + random.gauss(0, 20), random.gauss(0, 6))
    emma = Emma(pose.moved(random.uniform(-8, 8), random.uniform(-10, 10), random.uniform(0, 360)), 1, 0, look)
    cards = (LyingCard(face, pose, 1),)
    before, after = (photographed(pictures, Scene(cards, hers), conditions, 1) for hers in (None, emma))
    card_mm = pictures.deck.card_mm
    shown = cut_out(before.picture, LoneCard(before.cards[0].corners_px, 1.0), card_mm)
    return emma_on_card(after.picture, [after.cards[0].corners_px], [shown], card_mm)


def tables(pictures: DeckPictures, deck: int, look: EmmaLook) -> Iterator[tuple[str, Seen]]:
    """Tables with her and without her, each with a thing on another card, and what that is."""
    for number in range(TABLES):
        seed = 1000 * deck + 10 * MAKES.index(look.make) + number
        session, random = session_of(pictures, seed), Random(f"thing {seed}")
        scene = session.moments[-1].scene
        if scene.emma is None:
            continue
        others = [card for card in scene.cards if card.serial != scene.emma.serial]
        kind = THINGS[seed % len(THINGS)]
        for emma in (replace(scene.emma, look=look), None):
            clutter = session.conditions.clutter
            if others:
                x, y = (
                    getattr(random.choice(others).pose, side) + random.uniform(-14, 14) for side in ("x_mm", "y_mm")
                )
                clutter = (*clutter, thing(kind, (x, y), random))
            shown = Scene(scene.cards, emma, (), clutter)
            yield kind, photographed(pictures, shown, session.conditions, seed)


def is_right(finder: EmmaFinder, table: Seen) -> bool:
    found = finder.find(table.picture, table.cards)
    return (None if found is None else found.card) == table.home


def evidence(
    pictures: DeckPictures, faces: dict[str, Picture], emma: EmmaPicture, table: Seen
) -> Iterator[list[float]]:
    """For each card whether she stands there, what her look tells, and what the network says."""
    card_mm, look = pictures.deck.card_mm, TaughtLook(emma, pictures.deck.card_mm)
    for at, card in enumerate(table.cards):
        shown = shown_as(table.picture, card.corners_px, card_mm)
        network = np.clip(seen_on(shown, faces[card.face], card_mm).odds, -12, 12)
        yield [float(at == table.home), *told(look.seen_on(shown, faces[card.face]).evidence), float(network)]


def fitted(rows: Floats) -> Floats:
    """The weights of most likelihood."""
    there, told_of = rows[:, 0], rows[:, 1:]
    weights = np.zeros(told_of.shape[1])
    for _ in range(60):
        likely = 1 / (1 + np.exp(-told_of @ weights))
        slope = told_of.T @ (likely - there) + 0.01 * weights
        bend = (told_of * (likely * (1 - likely))[:, None]).T @ told_of + 0.01 * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("decks", type=int, nargs=2, help="the first one, and the one behind the last")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    rows: dict[bool, list[list[float]]] = {True: [], False: []}
    for deck in range(*options.decks):
        pictures = random_deck(deck)
        faces = {face: as_photographed(picture) for face, picture in pictures.faces.items()}
        before = EmmaFinder(faces, pictures.deck.card_mm)
        for make in MAKES:
            random = Random(f"look {deck} {make}")
            look = figure(make, random)
            try:
                emma = taught(pictures, look, random)
            except EmmaNotFoundError:
                counts[f"{make} not taught"][2] += 1
                continue
            after = EmmaFinder(faces, pictures.deck.card_mm, emma)
            is_like_one = TaughtEmma(emma, list(before.shown_faces.values()), pictures.deck.card_mm).is_like_locomotives
            for kind, table in tables(pictures, deck, look):
                if options.fit:
                    rows[is_like_one] += evidence(pictures, before.shown_faces, emma, table)
                    continue
                count = counts[make if table.home is not None else f"none, but a {kind}"]
                for at, finder in enumerate((before, after)):
                    count[at] += is_right(finder, table)
                count[2] += 1
    for what, (first, then, of) in sorted(counts.items()):
        print(f"{what:18} before {first:3}, after {then:3} of {of}")
    for is_like_one, some in rows.items():
        if some:
            told_of = np.array(some) if is_like_one else np.array(some)[:, :-1]
            print("like a locomotive" if is_like_one else "unlike one", fitted(told_of).round(2))


if __name__ == "__main__":
    main()
