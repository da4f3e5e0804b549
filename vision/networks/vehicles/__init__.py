"""What stands on the dots of a network: locomotives and wagons, told by their shapes and their paints."""
