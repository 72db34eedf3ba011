"""The model, the policy and its parameters."""
