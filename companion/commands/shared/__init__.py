"""What several commands do alike."""
