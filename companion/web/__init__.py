"""Pages in a browser: the virtual table, and what the companion beside a real table shows on a phone.

``guard`` says who may ask at all, ``connections`` bounds how many do, and ``lines`` tells browsers what is new.
"""

from importlib.resources import files
from pathlib import Path
from typing import Final

SHARED: Final = Path(str(files("companion.web") / "shared"))
"""What the pages have in common: served to all of them."""
