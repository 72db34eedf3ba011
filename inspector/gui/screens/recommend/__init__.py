"""Which settings hold most of what questions need."""
