"""Paying holders: what a payout moves, who is paid in a batch, and the files that a bank reads.

Everything here is pure. The use cases are in `haozhi.paying`, the rows in `store.payouts`.
"""
