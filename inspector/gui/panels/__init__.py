"""Panels below the table that are made when they are first shown: what each shows, and what it asks for."""
