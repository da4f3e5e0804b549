"""The parts of ``companion teach``."""
