"""Made cases: questions with statements, a forced answer, and who is owed what by construction.

Everything in them is generated from word lists and a seed, without a look at how attribution finds
support. The word lists and relations of the half `held_out` are only run for figures.
"""

from haozhi.evaluation.made.case import KINDS, Half, MadeCase, Saying
from haozhi.evaluation.made.making import make_cases

__all__ = ["KINDS", "Half", "MadeCase", "Saying", "make_cases"]
