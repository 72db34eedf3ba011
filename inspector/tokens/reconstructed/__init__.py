"""Vocabularies that nobody published, rebuilt by others from counts their API returned."""
