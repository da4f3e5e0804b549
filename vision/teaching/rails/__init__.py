"""Where the rails leave the cards of a deck: what recurs at their edges."""
