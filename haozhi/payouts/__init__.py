"""Paying holders: what a payout moves, who is paid in a batch, and the files that a bank reads.

The use cases are in `haozhi.paying`, the rows in `store.payouts`. All is pure here but reading a
layout, saving a file, and `checking`, which reads the rows.
"""
