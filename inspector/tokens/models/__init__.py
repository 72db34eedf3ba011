"""The model table: shipped rows, the person's own, and listings to take more from."""
