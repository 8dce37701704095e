"""Catalogues, as their loaders find them."""

from sekisho.sources.catalogue.load import load_catalogue

__all__ = ["load_catalogue"]
