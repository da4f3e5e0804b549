"""Drawings of things that games are played with, as vectors and as pictures."""
