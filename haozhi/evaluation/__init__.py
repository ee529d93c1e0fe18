"""How good the answers are: a development set and the figures measured on it."""
