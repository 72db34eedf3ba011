"""The heart: arrays in, decisions out. Candidates, policies, the ledger that decides each once, and the prompt."""
