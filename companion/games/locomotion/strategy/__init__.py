"""Locomotion played by itself: what searches, and what chooses."""
