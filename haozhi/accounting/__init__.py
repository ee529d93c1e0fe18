"""Money: how shares become integers, postings and credit reports. Integers only after `to_ppb`."""
