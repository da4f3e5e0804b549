"""What a game is to the rest of the companion, and a folder for each game."""
