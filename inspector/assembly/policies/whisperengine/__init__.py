"""whisperengine: the policy adaptive as run by the published code of WhisperEngine."""
