"""LOK'n'ROLL, the railway card game: rules, play at the table, record, robot, and the printed matter."""
