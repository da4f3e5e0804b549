"""Screens as images of one bit."""

from companion.screen.layout import FRAMES_A_PAGE, HEIGHT, WIDTH, count_pages, draw

__all__ = ["FRAMES_A_PAGE", "HEIGHT", "WIDTH", "count_pages", "draw"]
