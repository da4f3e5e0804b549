"""What tests ask of a sight of the table."""

from vision.rendering import Scene
from vision.watching.steady_view import Sight


def faces(sight: Sight) -> list[str]:
    return sorted(card.face for card in sight.cards)


def names(scene: Scene) -> list[str]:
    return sorted(card.face for card in scene.cards)


def emmas_face(sight: Sight) -> str | None:
    return None if sight.emma is None else sight.cards[sight.emma.card].face


def by_serial(sight: Sight) -> dict[int, str]:
    return dict(zip(sight.serials, (card.face for card in sight.cards), strict=True))
