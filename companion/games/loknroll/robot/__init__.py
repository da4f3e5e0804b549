"""The test bench's player: it lays cards and presses buttons as people do."""
