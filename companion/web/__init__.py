"""Pages in a browser: the virtual table, and what the companion beside a real table shows on a phone.

``guard`` says who may ask at all, ``connections`` bounds how many do, and ``lines`` tells browsers what is new.
"""
