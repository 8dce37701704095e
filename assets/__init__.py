"""The graph: thin assets and, under each, its checks."""
