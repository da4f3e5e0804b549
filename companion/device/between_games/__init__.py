"""What is shown while no game is played: the list of games, names, dice, aiming, and what is saved or loaded."""
