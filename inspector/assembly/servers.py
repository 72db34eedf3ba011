"""The servers that may stand behind an application, and the contexts that they run a model with."""

from collections.abc import Mapping

NO_SERVER = "none"
TITLES: Mapping[str, str] = {"ollama": "Ollama", "llamacpp": "llama.cpp", "lm_studio": "LM Studio", "vllm": "vLLM"}
SERVERS = (NO_SERVER, *TITLES)
"""The servers that may stand behind an application."""
_USUAL_CONTEXT = {"ollama": 4096, "lm_studio": 4096}
"""The contexts that these servers run models with unless they are told; others take the window of the model."""


def context_of(server: str, given: int | None, window: int) -> int:
    """Return the context of a server in tokens: the given one, else its usual one, at most the window of the model."""
    return given if given is not None else min(_USUAL_CONTEXT.get(server, window), window)
