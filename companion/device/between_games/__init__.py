"""What is shown while no game is played: the list of games, its settings, names of players, aiming, and dice."""
