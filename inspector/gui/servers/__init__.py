"""The dialog about local model servers: their models, their windows, and their counts."""
