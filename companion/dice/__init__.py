"""Dice for any game, and how fair they fall."""
