"""JSON that is whole, but says something else in a few places than what it was made from."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any, Final

HARD: Final[list[Any]] = [
    None, True, -1, 0, 1, 2, 5, 55, 110, 2**31, 2**63, 10**30, 0.5, -0.0, 1e-320, 1e16, 1e308, -1e308, float("nan"),
    float("inf"), "", "x", "A\x1b[2J", "\u202e", "\ud800", "\0", "x" * 300, "betsy", "solo-hard", "chaos-4", [], {},
    [[]], [1, 2], [1e308, 1e308, 0.0], {"x": 1}, "take-back", "free", "forbid",
]  # fmt: skip
"""What takes the place of a value."""


class Choices(Random):
    """Chance that is read from bytes: a fuzzer that changes one of them changes one choice. Then the first, always."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data = data
        self._at = 0

    def getrandbits(self, k: int) -> int:
        """The next bytes, as a number of so many bits."""
        length = (k + 7) // 8
        piece = self._data[self._at : self._at + length]
        self._at += length
        return int.from_bytes(piece.ljust(length, b"\0")) & ((1 << k) - 1)

    def random(self) -> float:
        """The next byte, as a share."""
        return self.getrandbits(8) / 256


def rewritten(corpus: list[bytes], random: Random) -> bytes:
    """Something known whose JSON is whole, but says something else in a few places: bytes alone rarely get so far."""
    known = random.choice(corpus)
    prefix = known[: known.index(b"{")]
    text = known[len(prefix) :]
    try:
        lines = [json.loads(text)]
    except ValueError:
        lines = [json.loads(line) for line in text.split(b"\n") if line.strip()]
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        if len(lines) > 1 and random.random() < 0.3:
            one, other = random.randrange(len(lines)), random.randrange(len(lines))
            lines[one:other] = deepcopy(random.choice([[], [lines[other]], lines[one:other] * 2]))
            continue
        # The first line of a record says most.
        change(lines, 0 if random.random() < 0.4 else random.randrange(len(lines) or 1), random)
    return prefix + b"\n".join(json.dumps(line).encode() for line in lines)


def change(tree: Any, key: Any, random: Random) -> None:
    """Changes something at or below a place."""
    if key not in (tree if isinstance(tree, dict) else range(len(tree))):
        return
    inner = tree[key]
    if isinstance(inner, (dict, list)) and inner and random.random() < 0.85:
        change(inner, random.choice(list(inner) if isinstance(inner, dict) else range(len(inner))), random)
    elif random.random() < 0.1:
        del tree[key]
    elif random.random() < 0.2 and isinstance(inner, (int, float)):
        tree[key] = inner + random.choice([-1, 1, 0.5, 90, 1000])
    else:
        tree[key] = deepcopy(random.choice([*HARD, *(tree.values() if isinstance(tree, dict) else tree)]))
