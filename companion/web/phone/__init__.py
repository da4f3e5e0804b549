"""The companion's page on a phone: who is at home watches the table, and steers it once people have let them in.

It runs beside a session, real or virtual, and changes nothing but through what the session's buttons could.
"""
