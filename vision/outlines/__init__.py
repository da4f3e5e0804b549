"""Where something in a picture has a card's outline."""
