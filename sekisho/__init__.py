"""Sekisho: a language model proposes, code decides."""
