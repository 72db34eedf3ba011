"""Sessions of OpenAI's coding agent Codex."""
