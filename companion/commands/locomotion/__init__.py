"""The commands of Locomotion."""
