"""Telling by a network which face lies at a place."""
