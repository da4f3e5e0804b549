"""What is told of what was read: joints, the railway's direction, the show spot, pictures with it drawn in.

And what is told before anything is read: where the camera looks, how sharp it sees, and in what light.
"""
