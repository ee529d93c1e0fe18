"""Clusters: exact and near copies of one text, found when a statement is added."""

from store.clusters.joining import add_all_keys, join_clusters
from store.clusters.listing import Cluster, list_clusters

__all__ = ["Cluster", "add_all_keys", "join_clusters", "list_clusters"]
