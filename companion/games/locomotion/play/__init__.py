"""Locomotion at a table: events go in, effects come out."""
