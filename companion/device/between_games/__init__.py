"""What is shown while no game is played: the list of games with its settings, the names of the players, and dice."""
