"""Faces cut out of photographs."""
