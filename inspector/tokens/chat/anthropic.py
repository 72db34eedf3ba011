"""Anthropic's server and a prompt: the thoughts it keeps of earlier turns, and the prompt that it adds for tools.

Source: Anthropic's pages "Extended thinking" (which models keep earlier thoughts) and "Tool use" (the table of tokens),
read in August 2026.
"""

import re

from inspector.tokens.certainty import Cost, estimated
from inspector.tokens.chat.messages import Thoughts

_NAME = re.compile(
    r"claude[-_ ]?(?:(?P<line>opus|sonnet|haiku|fable|mythos)[-_ ]?)?(?P<major>\d)(?:[-_.](?P<minor>\d)(?!\d))?"
    r"(?:[-_ ](?P<last>opus|sonnet|haiku))?"
)
_FORCED = ("any", "=")
"""The beginnings of a choice that makes the model call a tool."""
_TOOL_PROMPTS = {
    # (line, version): tokens for auto and none, for any tool and a named one
    **dict.fromkeys([("opus", 4.0), ("sonnet", 4.0), ("opus", 4.1)], (313, 315)),
    **dict.fromkeys([("opus", 4.5), ("sonnet", 4.5), ("haiku", 4.5)], (496, 588)),
    **dict.fromkeys([("opus", 4.6), ("sonnet", 4.6)], (497, 589)),
    ("haiku", 3.5): (264, 355),
    ("opus", 4.7): (675, 804),
    ("opus", 4.8): (290, 410),
    ("opus", 5.0): (286, 406),
    ("sonnet", 5.0): (354, 474),
}
_PAGE = "Anthropic's server adds a prompt of its own for tools: the figure of its page for this model."
_NEAREST = "Anthropic's server adds a prompt of its own for tools: its size for this model was not seen on its page."
_LEAST, _MOST = 159, 804
"""The smallest and the largest of these prompts in any table of Anthropic's, of 2025 and 2026."""


def kept_thoughts(model: str) -> Thoughts | None:
    """Return the thoughts of earlier turns that Anthropic's server keeps for a model; None for a model of others.

    Opus from 4.5, Sonnet from 4.6 and all lines of version 5 keep all; others, and Haiku up to 4.5, those of the
    running loop of tools.
    """
    found = _line_and_version(model)
    if found is None:
        return None
    line, version = found
    since = {"opus": 4.5, "sonnet": 4.6}.get(line, 5.0)
    return "all" if version >= since else "loop"


def server_tool_prompt(model: str, tool_choice: str = "") -> Cost | None:
    """Return the cost of the prompt that Anthropic's server adds if a request has tools; None for models of others."""
    found = _line_and_version(model)
    if found is None:
        return None
    is_forced = tool_choice.startswith(_FORCED)
    if found in _TOOL_PROMPTS:
        return estimated(_TOOL_PROMPTS[found][is_forced], _PAGE)
    nearest = _TOOL_PROMPTS["opus", 5.0] if found[1] >= 5 else (346, 313)
    return estimated(nearest[is_forced], _NEAREST, _LEAST, _MOST)


def _line_and_version(model: str) -> tuple[str, float] | None:
    match = _NAME.search(model.lower())
    if match is None and "claude" in model.lower():
        return "", 1.0 if "instant" in model.lower() else 5.0
    if match is None:
        return None
    line = match["line"] or match["last"] or ""
    return line, float(f"{match['major']}.{match['minor'] or 0}")
