"""The core: arrays in, decisions out. Candidates, policies, the ledger of decisions, and the prompt."""
