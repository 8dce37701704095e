"""The evidence report: one page with what is published, each quote marked in its source, and what was turned back."""
