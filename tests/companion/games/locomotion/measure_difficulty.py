"""Draws puzzles and prints the numbers that strategy/puzzles/difficulty.py judges by: python -m <this> [how many]."""

import sys
from collections import Counter
from random import Random
from statistics import quantiles

from companion.games.locomotion.rules import load_piece, piece_names
from companion.games.locomotion.strategy.puzzles import Difficulty, NoPuzzle, difficulty_of, draw_puzzle
from companion.games.locomotion.strategy.puzzles.difficulty import TENTHS

PIECES, WAGONS = (4, 20), (2, 4)


def judged(number: int) -> Difficulty | None:
    random = Random(f"difficulty {number}")
    piece = load_piece(random.choice(piece_names()))
    try:
        return difficulty_of(draw_puzzle(number, piece, random.randint(*PIECES), random.randint(*WAGONS)))
    except NoPuzzle:
        return None


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    found = [difficulty for number in range(count) if (difficulty := judged(number)) is not None]
    print(f"{len(found)} puzzles")
    for name in Difficulty._fields:
        TENTHS[name] = tuple(int(part) for part in quantiles((getattr(each, name) for each in found), n=10))
        print(f'"{name}": {TENTHS[name]},')
    print("points", tuple(int(part) for part in quantiles((each.points for each in found), n=4)))
    print(Counter(each.grade.value for each in found))
