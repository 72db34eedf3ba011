"""What the names of speakers add to the charges of messages (public/scripts/openai.js, `setOpenAIMessages`)."""

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, Rows
from inspector.assembly.policies.programs_chat.names import Names

NAMES_BEHAVIORS = {
    "default": "in groups before every content but the user's",
    "none": "nowhere",
    "content": "before every content but the narrator's",
    "completion": "in the field of the name",
}
_NAME_FIELD = 1
"""The tokens of OpenAI's field of a name beside the name itself."""


def name_charges(candidates: Candidates, messages: Rows, behavior: str, names: Names, *, is_group: bool) -> I32:
    """Return the tokens that the name of its speaker adds to each of these messages."""
    if behavior == "none" or (behavior == "default" and not is_group):
        return np.zeros(len(messages), np.int32)
    speakers, speaker_of = candidates.items.speakers
    added = np.array([_added(candidates, role, name, behavior, names) for role, name in speakers], np.int32)
    return added[speaker_of[messages - candidates.items.first_message]]


def _added(candidates: Candidates, role: str, name: str, behavior: str, names: Names) -> int:
    said = name or {"user": names.user, "assistant": names.char}.get(role, "")
    if not said or role in ("system", "tool") or (behavior == "default" and role == "user"):
        return 0
    if behavior == "completion":
        return candidates.counts.count(said) + _NAME_FIELD
    return candidates.counts.count(f"{said}: ")
