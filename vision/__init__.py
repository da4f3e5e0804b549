"""The eye: from camera pictures to cards, their poses and Emma."""
