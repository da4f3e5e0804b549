"""The file of a game, whatever the game."""
