"""Clusters: exact and near copies of one text, found when a statement is added."""

from store.clusters.joining import add_all_keys, join_clusters

__all__ = ["add_all_keys", "join_clusters"]
