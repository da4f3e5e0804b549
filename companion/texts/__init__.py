"""What players read, in their language."""
