"""whisperengine: the policy adaptive as the published code of WhisperEngine runs it."""
