"""What lets others check the books: Merkle trees, signed checkpoints, receipts and exports."""
