"""The parts of ``companion dice``."""
