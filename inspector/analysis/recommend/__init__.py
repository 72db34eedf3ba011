"""Recommended settings: what holds most of the evidence of probes and still leaves room for the reply."""
