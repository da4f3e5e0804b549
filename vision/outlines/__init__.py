"""Where something in a picture has a card's outline, or is seen to be a card, whatever is printed on it."""
