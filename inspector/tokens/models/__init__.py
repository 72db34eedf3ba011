"""The model table: shipped rows, the user's own, and listings to import more from."""
