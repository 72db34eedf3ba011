"""Recall: the share of the evidence of questions in their prompts."""
