"""Catalogues and query files, as their loaders find them."""

from sekisho.sources.catalogue.load import load_catalogue
from sekisho.sources.catalogue.queries import load_queries

__all__ = ["load_catalogue", "load_queries"]
