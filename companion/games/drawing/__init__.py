"""Drawings of things that games are played with: as vectors, as pictures, and on paper."""
