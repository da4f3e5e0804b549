"""What is told of what was read: joints, the railway's direction, the show spot, pictures with it drawn in."""
