"""The lorebooks and the activation of their entries."""
