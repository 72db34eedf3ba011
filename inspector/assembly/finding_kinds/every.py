"""Every kind of finding, in the order in which they are listed."""

from inspector.assembly.finding_kinds import adaptive, memories, prompts, ratio, reserve, slots, window_rag
from inspector.assembly.finding_kinds.kind import FindingKind

FINDING_KINDS = tuple(
    value
    for family in (prompts, memories, ratio, adaptive, reserve, window_rag, slots)
    for value in vars(family).values()
    if isinstance(value, FindingKind)
)
