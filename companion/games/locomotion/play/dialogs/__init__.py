"""Things that people do with the buttons before the game goes on."""
