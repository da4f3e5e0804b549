"""The commands of LOK'n'ROLL."""
