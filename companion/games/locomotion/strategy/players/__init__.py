"""Who plays Locomotion by itself: at random, greedily, and looking ahead."""
