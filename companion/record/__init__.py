"""The file of a game, whatever the game (docs/record.md), and files that are written as a whole."""
