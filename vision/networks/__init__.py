"""Networks of dots: where identical pieces lie on one square grid, and what stands on their dots."""
