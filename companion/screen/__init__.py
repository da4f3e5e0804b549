"""Screens as images of one bit: ``screen`` is what is to be seen, ``layout`` says where it goes on 128 × 64 dots."""

from companion.screen.layout import FRAMES_A_PAGE, HEIGHT, WIDTH, count_pages, draw

__all__ = ["FRAMES_A_PAGE", "HEIGHT", "WIDTH", "count_pages", "draw"]
