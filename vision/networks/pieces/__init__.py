"""Which pieces of rail lie on which cells of a grid, and how."""
