"""The core: arrays in, decisions out. Candidates, policies, the ledger that decides each item once, and the prompt."""
