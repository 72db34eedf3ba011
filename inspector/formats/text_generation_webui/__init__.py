"""Chat logs and characters of text-generation-webui."""
