"""What is left out before any policy sees it says who left it out: the file, or the person."""

import pytest
from building import answer_to, chat, memories, workspace

from inspector.assembly.explain import explain
from inspector.model import MemorySet, changed

STORED = memories(5, 4, 3)
BY_FILE = MemorySet(STORED.id, tuple(changed(each, excluded=each.id == "k1") for each in STORED.memories))
FOUND = workspace(chat(9, 8, 7), BY_FILE)


@pytest.mark.parametrize(
    ("item", "excluded", "who"),
    [("k1", (), "the file"), ("k1", ("k1",), "the file"), ("k0", ("k0",), "you"), ("m1", ("m1",), "you")],
)
def test_who_excluded_it_is_said(item: str, excluded: tuple[str, ...], who: str) -> None:
    assembly = answer_to(FOUND, context_window=400, excluded=excluded).assembly
    sentence = explain(assembly, assembly.candidates.ids.index(item))
    assert sentence.endswith(f" is left out by {who}, before any policy sees it.")
