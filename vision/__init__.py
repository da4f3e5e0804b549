"""The eye: from a camera's picture to cards, their poses and Emma. Of the rules it gets only what it is handed."""

import os

# The matrices here are small: threads that wait for each other would only keep the cores from other work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
