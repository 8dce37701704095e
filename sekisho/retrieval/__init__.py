"""Finding what is relevant to a question among the compiled sources."""
