"""Attribution methods side by side on the same model, items and answers."""
