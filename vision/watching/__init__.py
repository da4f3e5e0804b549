"""The eye over time: only what changes is read anew, and cards stay cards.

``steady_view`` remembers what was read, ``hands`` sees hands, ``table_eye`` tells in millimetres what lies there.
"""
