"""Networks and what stands on them, drawn: as vectors, and for a terminal."""
