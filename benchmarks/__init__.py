"""Measurements of haozhi against a bare baseline, as ratios in one run.

`python -m benchmarks posting` prints one JSON line. These machines are noisy: a ratio of two things
measured in turn is what counts, seconds are notes.
"""
