"""Scorecards: what a golden set says of a stage, and the committed baseline that it is held against."""
