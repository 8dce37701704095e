"""A corpus of hostile inputs, the data folder that holds all of them, and a model that obeys what they order."""
