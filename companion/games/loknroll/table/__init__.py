"""What lies on the table beside what should lie there."""
