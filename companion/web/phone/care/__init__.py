"""Looking after the companion from a phone: who may steer, settings, devices, saving, a deck, another version, the log.

All of it is for those that were let in. What changes the program itself people at the table say yes to.
"""
