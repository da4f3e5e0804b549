"""Faces of cards: their keypoints, how they lie in a picture, and which of them it is."""
