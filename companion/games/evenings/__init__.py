"""What stands behind the page of past evenings: games that were played, whatever they are games of."""
