"""What every game at the table is played with: its desk, what lies over its phases, lists to choose from, its dice."""
