"""What players read, in their language; a game brings sentences of its own."""
