"""The test bench's player: it lays pieces, moves trains and presses buttons as people do."""
