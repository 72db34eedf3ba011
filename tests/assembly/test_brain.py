"""The presets of brain: slots set aside in full, memories in file order after the system message, files with tags."""

from typing import Any

import pytest
from building import answer_to, chat, codes, decisions, kept, memories, words, workspace
from cases import outside, with_files
from hypothesis import given
from hypothesis import strategies as st
from test_exact_ledger import EXACT, assert_adds_up
from test_exact_ledger import workspaces as exact_workspaces
from twins import Case, Decisions, cost, stop_packer, system_text, words_in

from inspector.assembly.policies.brain import Brain
from inspector.assembly.policy import parameter_values
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import (
    Attachment,
    Character,
    Component,
    Document,
    Memory,
    MemorySet,
    Profile,
    SkippedFile,
    Workspace,
    changed,
)
from tests.examples import examples

MARK = "\n…[truncated]"


class BrainTwin:
    """The preset brain-0.5, step by step, as the published code takes them."""

    def __init__(self, case: Case, attachments: tuple[Attachment, ...], window: int, chosen: dict[str, Any]) -> None:
        self.case, self.attachments, self.window, self.set = case, attachments, window, chosen

    def decide(self) -> Decisions:
        slots = {name: self.set[f"{name}_slot"] for name in ("system", "profile", "history", "response", "attachments")}
        if self.set["scale"] == "window":
            pool = max(0, self.window - slots["system"] - slots["profile"] - slots["response"])
            slots |= {"history": pool * 28 // 100, "attachments": pool * 36 // 100}
        self._memories(max(0, self.window - sum(slots.values())), self._system_message())
        self._history(slots["history"])
        for item in self.case.others:
            if not isinstance(item, Document):
                self.case.decide(item, "dropped", 0, "filtered")
        self._files(slots["attachments"] * self.set["chars_per_token"], self.set["attachment_floor_chars"])
        return self.case.decisions

    def _system_message(self) -> int:
        total = system_text(self.case)
        character = self.case.character
        if character is None or character.profile is None:
            return total
        spent = words_in(f"The user's name is {character.profile.name}.")
        self.case.decisions["profile"] = ("kept", spent, "always")
        return total + words_in("User Profile:") + spent

    def _memories(self, limit: int, used: int) -> None:
        def line_cost(memory: Memory) -> int:
            kind = "Episodic" if memory.type in ("episodic", "experience", "story") else "Semantic"
            return words_in(f"- [{kind}] {memory.content}\n") if memory.tokens is None else memory.tokens

        pinned = [memory for memory in self.case.memories if self.case.is_pinned(memory)]
        for memory in pinned:
            self.case.decide(memory, "kept", line_cost(memory), "pinned")
            used += line_cost(memory)
        others = [memory for memory in self.case.memories if memory not in pinned]
        used += stop_packer(others, line_cost, limit - used, self.case.decide)
        left = max(0, limit - used)
        lore = self.case.active_lore()
        for entry in [entry for entry in lore if self.case.is_pinned(entry)]:
            self.case.decide(entry, "kept", cost(entry), "pinned")
            left -= cost(entry)
        stop_packer([entry for entry in lore if not self.case.is_pinned(entry)], cost, left, self.case.decide)

    def _history(self, left: int) -> None:
        history = list(self.case.messages)
        if history and history[-1].role == "user":
            current = history.pop()
            self.case.decide(current, "kept", cost(current), "always")
        for message in [message for message in history if self.case.is_pinned(message)]:
            self.case.decide(message, "kept", cost(message), "pinned")
            left -= cost(message)
        older = [message for message in reversed(history) if not self.case.is_pinned(message)]
        stop_packer(older, cost, left, self.case.decide)

    def _files(self, budget: int, floor: int) -> None:
        files = [(item.id, item.content, cost(item)) for item in self.case.others if isinstance(item, Document)]
        files += [(item.path, item.content, words_in(item.content)) for item in self.attachments]
        used = 0
        for place, (name, text, tokens) in enumerate(files):
            cap = max(floor, max(0, budget - used) // (len(files) - place))
            if len(text) > cap:
                text = text[: max(0, cap - 20)] + MARK
                self.case.decisions[name] = ("truncated", words_in(text), "cut")
            else:
                self.case.decisions[name] = ("kept", tokens, "within_budget")
            used += len(f'<ATTACHED_CONTENT path="{name}">\n{text}\n</ATTACHED_CONTENT>\n')


few = st.integers(0, 25)
parameters = st.fixed_dictionaries(
    {
        **{f"{name}_slot": few for name in ("system", "profile", "history", "response", "attachments")},
        "scale": st.sampled_from(["fixed", "window"]),
        "attachment_floor_chars": st.sampled_from([0, 10, 40]),
        "chars_per_token": st.sampled_from([0, 1, 3, 9]),
    }
)


@examples(150)
@given(with_files(), parameters, st.integers(0, 250), outside)
def test_brain_decides_like_its_twin(
    found: Workspace, chosen: dict[str, Any], window: int, around: dict[str, Any]
) -> None:
    case = Case(found, around["pinned"], around["excluded"], around["at"])
    twin = BrainTwin(case, found.attachments, window, {**parameter_values(Brain()), **chosen})
    expected = twin.decide()
    scenario = {"policy": "slots", "preset": "brain-0.5", "context_window": window, "query": "", "parameters": chosen}
    assert decisions(answer_to(found, **scenario, **around)) == expected


@pytest.mark.parametrize("counted", EXACT, ids=lambda counted: counted["model"])
@examples(60)
@given(exact_workspaces(), parameters, st.sampled_from([0, 60, 10**9]))
def test_the_ledger_of_brain_adds_up(
    counted: dict[str, str], found: Workspace, chosen: dict[str, Any], window: int
) -> None:
    found = changed(found, attachments=(Attachment("f0", "\n tide  " * 9),), skipped=(SkippedFile("x.bin", "no"),))
    answer = answer_to(found, policy="slots", preset="brain-0.5", parameters=chosen, context_window=window, **counted)
    assert_adds_up(answer)


FILES = workspace(
    chat(1, 2, 3),
    MemorySet("d", (Memory("k0", "one", type="story"), Memory("k1", "two", type="fact", agent="bot", similarity=1.0))),
    Character(
        "nova",
        system_prompt="be kind",
        components=(Component("note", "note", "be brief", 1),),
        profile=Profile("Ada", ("tea", "rain"), ("rest",), ("tall", "old")),
    ),
    attachments=(Attachment("a.txt", "short"),),
    skipped=(SkippedFile("secret.bin", 'not "text"'),),
)


def prompt(found: Workspace, preset: str, **parameters: Any) -> list[tuple[str, str]]:
    answer = answer_to(found, policy="slots", preset=preset, parameters=parameters)
    return [(message.role, message.content) for message in prompt_messages(answer.assembly)]


SYSTEM = (
    "be kind\n\nbe brief\n\nUser Profile: The user's name is Ada. User preferences: tea, rain User goals: rest "
    "Key facts: tall; old"
)
MEMORIES = "Relevant memories:\n- [Episodic] one\n- [Semantic, agent: bot] two\n"


def test_the_prompt_names_kind_and_agent_of_memories_in_file_order_and_the_profile_in_sentences() -> None:
    assert prompt(FILES, "brain-0.5") == [
        ("system", SYSTEM),
        ("system", MEMORIES),
        ("user", "w"),
        ("assistant", "w w"),
        (
            "user",
            '<ATTACHED_CONTENT path="a.txt">\nshort\n</ATTACHED_CONTENT>\n'
            '<SKIPPED_PATH path="secret.bin" reason="not \'text\'"/>\n',
        ),
        ("user", "w w w"),
    ]


def test_the_first_brain_knows_no_attached_files() -> None:
    assert prompt(FILES, "brain-0.1") == [
        ("system", SYSTEM),
        ("system", MEMORIES),
        ("user", "w"),
        ("assistant", "w w"),
        ("user", "w w w"),
    ]
    answer = answer_to(FILES, policy="slots", preset="brain-0.1")
    assert decisions(answer)["a.txt"] == ("dropped", 0, "filtered")
    assert "not_placed" in codes(answer)


@pytest.mark.parametrize(
    ("preset", "tokenizer"), [("brain-0.5", "estimate:brain"), ("brain-0.1", "estimate:brain-0.1")]
)
def test_each_brain_counts_in_its_own_way(preset: str, tokenizer: str) -> None:
    answer = answer_to(FILES, policy="slots", preset=preset, tokenizer="auto")
    assert answer.ledger.tokenizer == tokenizer


def test_a_system_message_is_set_against_the_memories_to_the_last_token() -> None:
    slots = {f"{name}_slot": 0 for name in ("system", "profile", "history", "response", "attachments")}
    found = workspace((), memories(2, 2, 2), Character("nova", system_prompt=words(5)))

    def of(window: int) -> tuple[list[str], list[str]]:
        parameters = {**slots, "scale": "fixed"}
        answer = answer_to(found, policy="slots", preset="brain-0.5", context_window=window, parameters=parameters)
        return kept(answer)[1:], [code for code in codes(answer) if "memory" in code]

    assert of(13) == (["k0", "k1"], ["system_charged_to_memory"])
    assert of(12) == (["k0"], ["system_charged_to_memory"])
    assert of(17) == (["k0", "k1", "k2"], [])
    assert of(5) == ([], ["system_charged_to_memory", "no_room_for_memory"])
    assert of(3) == ([], ["no_room_for_memory"])


def test_a_newest_message_over_the_history_slot_leaves_no_history() -> None:
    found = workspace(chat(1, 6, 1))
    for slot, left, said in ((5, ["m2"], True), (6, ["m1", "m2"], False)):
        parameters = {"history_slot": slot, "scale": "fixed"}
        answer = answer_to(found, policy="slots", preset="brain-0.5", parameters=parameters)
        assert (kept(answer), "newest_message_too_long" in codes(answer)) == (left, said)


def test_the_tags_of_attached_files_can_exceed_the_slot() -> None:
    found = workspace(chat(1), attachments=(Attachment("f", "x" * 90),))
    said = []
    for slot in (30, 60):
        parameters = {"attachments_slot": slot, "attachment_floor_chars": 0, "scale": "fixed"}
        answer = answer_to(found, policy="slots", preset="brain-0.5", parameters=parameters)
        assert decisions(answer)["f"][0] == "kept"
        said.append("attachments_over_slot" in codes(answer))
    assert said == [True, False]
