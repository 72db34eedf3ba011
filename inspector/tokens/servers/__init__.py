"""Local model servers: finding them, listing their models, and counting with them. Asked only on request."""
