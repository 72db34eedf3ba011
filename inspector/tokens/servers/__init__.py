"""Local model servers: finding them, what they tell of their models, and counting with them. Asked only on request."""
