"""Our own deck, drawn by code as vectors: every face from its data, the back, and pictures of them.

The drawings keep to paths, basic shapes and plain colours, which every renderer draws alike.
"""
