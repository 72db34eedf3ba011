"""Parts plus overhead equal the whole where text is cut in the middle of a message: components, and attached files."""

from typing import Any

import pytest
from building import answer_to
from hypothesis import given
from hypothesis import strategies as st
from test_exact_ledger import EXACT, assert_adds_up, texts, workspaces

from inspector.model import Attachment, SkippedFile, Workspace, changed
from tests.examples import examples


@st.composite
def with_files(draw: st.DrawFn) -> Workspace:
    """Random conversations with what goes with them, and files."""
    files = tuple(Attachment(f"f{n}", draw(texts) * 4) for n in range(draw(st.integers(0, 2))))
    skipped = (SkippedFile("x.bin", "\n\nno text"),) if draw(st.booleans()) else ()
    return changed(draw(workspaces()), attachments=files, skipped=skipped)


adaptive = st.fixed_dictionaries(
    {
        "system_budget": st.sampled_from([0, 5, 6000]),
        "max_tokens": st.integers(0, 40) | st.just(8000),
        "min_recent": st.integers(0, 2),
        "memory_chars": st.sampled_from([500, 3]),
    }
)
slots = st.fixed_dictionaries(
    {
        "history_slot": st.sampled_from([0, 20, 2000]),
        "attachments_slot": st.sampled_from([0, 2500]),
        "attachment_floor_chars": st.sampled_from([0, 21, 30]),
    }
)


@pytest.mark.parametrize("counted", EXACT, ids=lambda counted: counted["model"])
@examples(120)
@given(with_files(), adaptive, st.sampled_from([0, 60, 10**9]))
def test_a_system_message_of_components_adds_up(
    counted: dict[str, str], found: Workspace, parameters: dict[str, Any], window: int
) -> None:
    answer = answer_to(found, policy="adaptive", context_window=window, parameters=parameters, **counted)
    assert_adds_up(answer)


@pytest.mark.parametrize("counted", EXACT, ids=lambda counted: counted["model"])
@examples(120)
@given(with_files(), slots, st.sampled_from([0, 60, 10**9]))
def test_a_prompt_of_slots_adds_up(
    counted: dict[str, str], found: Workspace, parameters: dict[str, Any], window: int
) -> None:
    answer = answer_to(found, policy="slots", context_window=window, parameters=parameters, **counted)
    assert_adds_up(answer)
