"""Recommended settings: those that keep most of the evidence of probes and still leave room for the reply."""
