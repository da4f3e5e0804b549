"""The railway: cards, the geometry of their rails, and Emma on them."""
