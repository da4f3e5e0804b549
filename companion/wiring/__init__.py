"""How buttons, screen, lights and camera are connected and mounted, from the settings that the program reads."""
