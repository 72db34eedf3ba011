"""The parameters that both of SillyTavern's ways have, with the names and defaults of its settings."""

from typing import Any

from inspector.assembly.policy import param


def context_size(default: int, least: int, **declared: Any) -> Any:
    """Declare the slider of the context."""
    return param(
        default,
        least,
        128_000,
        step=64,
        scale="log",
        unit="tokens",
        label="Context",
        sizes="prompt",
        **declared,
    )


def response_length(default: int) -> Any:
    """Declare the slider of the reply."""
    return param(
        default,
        0,
        8192,
        step=16,
        scale="log",
        unit="tokens",
        label="Response",
        help="Tokens of the context kept free for the reply.",
        sizes="reply",
    )


def pin_examples() -> Any:
    """Declare whether examples come before the conversation."""
    return param(
        False, label="Always include examples", help="Example dialogue takes its tokens before the conversation does."
    )


def strip_examples() -> Any:
    """Declare whether examples are left out."""
    return param(False, label="Never include examples", help="Example dialogue is left out.", topic="rare")


def depth(label: str, what: str) -> Any:
    """Declare the depth of a note: the number of messages after it."""
    return param(
        4, 0, 100, unit="messages", label=label, help=f"{what} stands before this many of the newest messages."
    )


def world_info_budget() -> Any:
    """Declare the share of lore."""
    return param(25, 1, 100, label="World Info budget", help="Percent of the prompt that lore may take.", topic="lore")


def world_info_budget_cap() -> Any:
    """Declare the most tokens of lore."""
    return param(
        0,
        0,
        65_536,
        step=16,
        scale="log",
        unit="tokens",
        at_minimum="none",
        label="World Info budget cap",
        help="The most tokens that lore may take.",
        topic="lore",
    )
