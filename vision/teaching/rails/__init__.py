"""Where the rails leave the cards of a deck."""
