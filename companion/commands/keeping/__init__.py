"""Saving a companion as one file, and loading it: ``companion backup`` and ``companion restore``."""
