"""Puzzles to play alone (LSOLO1): drawn by lot, proven, and judged."""

from companion.games.locomotion.strategy.puzzles.difficulty import Difficulty, Grade, difficulty_of
from companion.games.locomotion.strategy.puzzles.drawing_lots import DrawnPuzzle, NoPuzzle, Tries, draw_puzzle

__all__ = ["Difficulty", "DrawnPuzzle", "Grade", "NoPuzzle", "Tries", "difficulty_of", "draw_puzzle"]
