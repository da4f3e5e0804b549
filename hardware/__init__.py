"""Buttons, display, lights and camera: a real driver beside a virtual one for each. Knows no game."""
