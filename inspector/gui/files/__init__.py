"""Files on their way into a window: opened, read again, recognized, and kept as inspections."""
