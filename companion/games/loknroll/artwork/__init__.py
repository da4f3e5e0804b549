"""Our own deck, drawn by code as vectors: every face from its data, the back, and pictures of them.

The drawings keep to paths, basic shapes and plain colours, which every renderer draws alike.
"""

from companion.games.drawing.raster import rasterized
from companion.games.loknroll.artwork.back import back_svg
from companion.games.loknroll.artwork.card import face_svg

__all__ = ["back_svg", "face_svg", "rasterized"]
