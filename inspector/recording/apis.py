"""The requests that are kept, by their addresses: those of OpenAI, Anthropic, Gemini and Ollama that ask a model.

platform.openai.com/docs/api-reference, docs.anthropic.com/en/api/messages, ai.google.dev/api/generate-content,
github.com/ollama/ollama/blob/main/docs/api.md. All else is passed through and not kept.
"""

import re
from typing import Literal

Api = Literal["chat", "responses", "anthropic", "gemini", "ollama"]

_ADDRESSES: tuple[tuple[Api, re.Pattern[str]], ...] = (
    ("chat", re.compile(r"/chat/completions/?$")),
    ("responses", re.compile(r"/responses/?$")),
    ("anthropic", re.compile(r"(^|/v[0-9][a-z0-9]*)/messages/?$")),
    ("gemini", re.compile(r":(stream)?[gG]enerateContent$")),
    ("ollama", re.compile(r"/api/(chat|generate)/?$")),
)


def api_of(method: str, path: str) -> Api | None:
    """Return the API of a request by its method and its path without a query; None if it asks no model."""
    if method != "POST":
        return None
    return next((api for api, address in _ADDRESSES if address.search(path)), None)
