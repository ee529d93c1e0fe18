"""haozhi (澔智): answers that cite their authors and book each author's credit."""

__version__ = "0.1.0"
