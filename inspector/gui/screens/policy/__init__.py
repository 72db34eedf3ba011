"""Model, policy and parameters."""
