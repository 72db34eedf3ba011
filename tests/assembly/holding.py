"""How every policy and preset can be held to a budget: its window and the parameters that are limits of its own."""

from typing import Any

import pytest
from building import BY_WORDS

from inspector.assembly.policy import parameters_of
from inspector.assembly.presets import load_presets
from inspector.plugins import policies

PRESETS = tuple(key for key in load_presets() if key[0] in policies()[0])
EACH_PRESET = pytest.mark.parametrize(("policy", "preset"), [pytest.param(*key, id="-".join(key)) for key in PRESETS])
LIMITS = {
    "adaptive": ("system_budget", "max_tokens"),
    "window_rag": ("total_limit", "history_budget", "rag_budget", "hard_limit"),
    "slots": ("system_slot", "profile_slot", "history_slot", "attachments_slot"),
    "langchain_trim": ("max_tokens",),
    "llamaindex_buffer": ("token_limit",),
    "semantic_kernel_truncation": ("target_count",),
    "priority": ("token_limit",),
    "sillytavern": ("context_size",),
    "sillytavern_text": ("context_size",),
    "ollama": ("num_ctx",),
    "llamacpp": ("n_ctx",),
    "text_generation_webui": ("truncation_length",),
    "koboldcpp": ("context_size",),
    "open_webui": ("token_threshold",),
    "librechat": ("max_context_tokens",),
    "jan": ("max_context_tokens",),
    "vllm": ("max_model_len",),
    "codex_compact": ("auto_compact_limit", "user_message_tokens"),
    "gemini_compress": ("tool_budget", "tool_chars"),
    "cline_compact": ("max_input_tokens", "preserve_recent_tokens"),
    "opencode_compact": ("input_limit", "preserve_recent_tokens", "prune_protect"),
    "anthropic_context_editing": ("trigger_input_tokens", "keep"),
    "anthropic_compaction": ("trigger",),
    "openhands_condenser": ("max_size",),
    "aider_summary": ("max_tokens",),
    "langchain_summarize": ("trigger_tokens", "keep_tokens"),
    "langchain_clear_tools": ("trigger", "keep"),
    "llamaindex_summary_buffer": ("token_limit",),
    "semantic_kernel_summarization": ("target_count",),
    "letta_buffer": ("buffer_limit", "buffer_min"),
}
"""The parameters that are limits; policies that are not named here have none but the window."""
LIMITED = {"langchain_summarize": {"trigger_kind": "tokens", "keep_kind": "tokens"}}
"""What has to be chosen for the limits of a policy to be in force."""
UNRESERVED = {"response_ratio": 0.0, "response_min": 0, "safety_ratio": 0.0, "response_slot": 0, "response_reserve": 0}
NOTHING_BESIDE = {
    **UNRESERVED,
    "preamble_tokens": 0,
    "scale": "fixed",
    "response_length": 0,
    "max_new_tokens": 0,
    "max_length": 0,
    "max_output_tokens": 0,
    "max_output": 0,
    "max_tokens": 0,
    "reserve_ratio": 0.0,
}
"""What would take part of a budget before any item does."""


def held(policy: str, preset: str, window: int, limit: int) -> dict[str, Any]:
    """Fields of a scenario with this window, every limit of the policy at `limit` (at least what it may be)."""
    kind = load_presets()[policy, preset].kind(policies()[0][policy])
    declared = {parameter.name: parameter for parameter in parameters_of(kind)}
    parameters = {name: value for name, value in NOTHING_BESIDE.items() if name in declared}
    parameters |= LIMITED.get(policy, {})
    for name in LIMITS.get(policy, ()):
        if name in declared:
            parameters[name] = max(limit, int(declared[name].minimum))
    limits = {"context_window": window, "parameters": parameters}
    return {"policy": policy, "preset": preset, "embedding": BY_WORDS, **limits}
