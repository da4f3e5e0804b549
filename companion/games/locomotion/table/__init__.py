"""What lies on the table beside what should lie there, and how a turn was played."""
