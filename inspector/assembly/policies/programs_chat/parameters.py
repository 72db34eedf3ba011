"""Parameters that several programs have, each with a default of its own."""

from typing import Any

from inspector.assembly.policy import param


def context(default: int, least: int, help: str, **declared: Any) -> Any:
    """Declare the limit of a prompt, or of prompt and reply together."""
    given = {"label": "Context", "sizes": "prompt", **declared}
    return param(default, least, 262_144, step=64, scale="log", unit="tokens", help=help, **given)


def reply_reserve(default: int, least: int = 0, **declared: Any) -> Any:
    """Declare the tokens kept free for the reply."""
    given = {"label": "Reply at most", "help": "Tokens of the context kept free for the reply.", **declared}
    return param(default, least, 32_768, step=16, scale="log", unit="tokens", sizes="reply", **given)


def message_overhead(default: int) -> Any:
    """Declare the formatting of a message."""
    return param(
        default,
        0,
        50,
        unit="tokens",
        label="Formatting of a message",
        help="Tokens of role, name and template, charged for each message beside its content.",
        topic="rare",
    )


def reply_overhead(default: int) -> Any:
    """Declare the beginning of the reply."""
    return param(
        default,
        0,
        50,
        unit="tokens",
        label="Beginning of the reply",
        help="Tokens of the template after the last message.",
        topic="rare",
    )


def add_bos(default: bool) -> Any:
    """Declare the token that begins a prompt."""
    return param(default, label="Begin with BOS", help="The vocabulary begins every prompt with a token.", topic="rare")
