"""Which value each face of a deck has: faces with like marks are put together, and the groups named."""
