"""The threads beside the loop: the one that looks through the camera, and the one that draws onto the display."""
