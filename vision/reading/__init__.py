"""One picture read: which cards lie there, and where Emma stands."""
