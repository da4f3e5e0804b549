"""What is right with a companion's parts, what is wrong, and how to mend it."""
