"""Recorded requests of an application: who sent them, what changed, what they cost, and what other settings save."""
