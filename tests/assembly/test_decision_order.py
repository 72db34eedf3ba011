"""The place of an item in the order of decision of its section, and what that order goes by."""

import re
from functools import cache

from inspector.assembly.answer import Answer, complete_answer
from inspector.assembly.explain import decision_place, explain
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import read_scenario
from inspector.assembly.scenario_values import no_kind
from inspector.formats import load_workspace
from inspector.model import Conversation, Memory, MemorySet, Message, Workspace
from inspector.plugins import policies
from inspector.resources import samples_folder


@cache
def answer_of(policy: str, pinned: tuple[str, ...] = ()) -> Answer:
    """Thirty messages of ten words and ten memories, in a window of 400."""
    spoken = " ".join(["word"] * 10)
    messages = tuple(Message(f"m{number}", "assistant" if number % 2 else "user", spoken) for number in range(30))
    memories = tuple(Memory(f"k{number}", f"fact number {number}", priority=50.0 + number) for number in range(10))
    workspace = Workspace((Conversation("c", messages),), memory_sets=(MemorySet("s", memories),))
    scenario = Scenario(policy=policy, tokenizer="estimate:words", context_window=400, pinned=pinned)
    return complete_answer(Pipeline(workspace, policies()[0], load_presets()), scenario)


def place_of(answer: Answer, name: str) -> tuple[int, int, str]:
    assembly = answer.assembly
    place = decision_place(assembly, assembly.candidates.ids.index(name))
    assert place is not None
    return place.number, place.total, place.order


def test_what_is_decided_from_the_newest_on_says_so() -> None:
    answer = answer_of("ratio")
    number, total, order = place_of(answer, "m0")
    assert (number, order) == (total, "newest first")
    assert place_of(answer, "m29")[::2] == (1, "newest first")


def test_what_is_decided_as_it_was_said_says_so() -> None:
    assert place_of(answer_of("naive"), "m3")[2] == "oldest first"


def test_pins_come_first_and_the_others_after_them() -> None:
    answer = answer_of("ratio", ("m2", "m5"))
    number, total, order = place_of(answer, "m2")
    assert (number, order) == (1, "pinned, before the others")
    number, total, order = place_of(answer, "m0")
    assert (number, order) == (total, "newest first, after 2 pinned")


def test_ranked_memories_go_by_their_score() -> None:
    assert place_of(answer_of("ratio"), "k9")[2] == "best score first"


def test_an_order_of_several_passes_says_the_direction() -> None:
    folder = samples_folder()
    pipeline = Pipeline(load_workspace([folder / "companion.workspace.yaml"]), policies()[0], load_presets())
    scenario, _ = read_scenario(folder / "companion.scenario.yaml", no_kind)
    answer = complete_answer(pipeline, scenario)
    number, total, order = place_of(answer, "m0")
    assert number < total, "the oldest message was sorted out before the newest were weighed"
    assert order == "newest first"
    assert place_of(answer, "m336")[2] == "newest first"


def test_the_sentence_has_the_same_place() -> None:
    assembly = answer_of("ratio").assembly
    told = 0
    for row in range(len(assembly.candidates)):
        place = decision_place(assembly, row)
        if found := re.search(r"\((\d+) of (\d+)", explain(assembly, row)):
            assert place is not None
            assert (int(found[1]), int(found[2])) == (place.number, place.total)
            told += 1
    assert told > 5
