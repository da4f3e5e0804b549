"""The square grid that the dots of a network lie on: found in a picture, followed, and laid flat."""
