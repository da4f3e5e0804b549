"""A game of LOK'n'ROLL in words and on the disk."""
