"""A file becomes author-tagged statements in the store. Imports store only."""
