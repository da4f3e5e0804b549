"""Things on a table that is not there, the camera above it, and hands; it knows no game."""
