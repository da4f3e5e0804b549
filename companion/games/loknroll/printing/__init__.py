"""The deck on paper: a PDF with cards, backs, cut-outs and rules."""
