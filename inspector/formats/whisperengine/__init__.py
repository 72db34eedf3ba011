"""WhisperEngine: prompt logs, run logs, and characters of both generations."""
