"""What of Locomotion goes on paper."""
