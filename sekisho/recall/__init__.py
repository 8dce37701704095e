"""Recall: the past decisions that a draft should know of."""
