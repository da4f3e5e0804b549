"""What each phase of the game waits for, shows and accepts."""
