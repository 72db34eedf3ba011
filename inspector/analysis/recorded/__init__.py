"""Recorded decisions and costs of a file, beside those computed here."""
