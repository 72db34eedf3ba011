"""What a server still does to a prompt, for every policy before it, and against the policies of these servers."""

from typing import Any, cast

import pytest
from building import answer_to, chat, codes, decisions, memories, pipeline_for, words, workspace
from holding import EACH_PRESET
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.answer import answer_value
from inspector.assembly.case import ScenarioError
from inspector.assembly.decisions import Block, Run
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.assembly.servers import SERVERS, context_of
from inspector.assembly.soundness import first_fault
from inspector.model import Character, Message, Role, Workspace
from inspector.testing.workspaces import EVERYTHING
from tests.examples import examples

NOVA = Character("nova", system_prompt=words(4))
SPOKEN = workspace(chat(30, 30, 30), character=NOVA)
"""117 tokens with the formatting of four messages and of the reply: 8 of the system prompt, 34, 34 and 34."""
LIKE_THE_STEP = {"message_overhead": 4, "reply_overhead": 3}


@st.composite
def chats(draw: st.DrawFn) -> Workspace:
    turns = draw(st.lists(st.tuples(st.sampled_from(["user", "assistant", "system"]), st.integers(1, 12)), max_size=12))
    told = [Message(f"m{n}", cast("Role", role), words(size)) for n, (role, size) in enumerate(turns)]
    return workspace(told, character=draw(st.sampled_from([None, NOVA])))


def left_by(found: Workspace, **scenario: Any) -> dict[str, tuple[str, int]]:
    kept = decisions(answer_to(found, **scenario))
    return {name: (action, spent) for name, (action, spent, _) in kept.items() if action != "dropped"}


@examples(80)
@given(chats(), st.integers(1, 120))
def test_ollama_behind_everything_leaves_what_its_own_policy_leaves(found: Workspace, context: int) -> None:
    alone = left_by(found, policy="ollama", parameters={**LIKE_THE_STEP, "num_ctx": context})
    behind = left_by(found, policy="naive", server="ollama", server_context=context)
    assert behind == alone


@EACH_PRESET
@pytest.mark.parametrize("server", ["ollama", "lm_studio"])
@pytest.mark.parametrize("context", [1, 30, 90, 5000])
def test_an_assembly_stays_sound_behind_a_server(policy: str, preset: str, server: str, context: int) -> None:
    answer = answer_to(EVERYTHING, policy=policy, preset=preset, server=server, server_context=context)
    assert first_fault(answer.assembly.candidates, answer.assembly) == ""
    for row in answer.assembly.in_prompt.nonzero()[0].tolist():
        is_whole = answer.assembly.action[row] != 2
        assert is_whole or answer.assembly.text(row) != answer.assembly.candidates.texts[row]
    assert len(list(prompt_messages(answer.assembly))) == sum(map(_messages_in, answer.assembly.blocks))


def _messages_in(block: Block) -> int:
    return len(block.rows) if isinstance(block, Run) else 1


@pytest.mark.parametrize("model", ["qwen2.5-7b-instruct", "gpt-4o"])
@pytest.mark.parametrize("server", ["ollama", "lm_studio"])
@examples(20)
@given(found=chats(), less=st.integers(0, 60))
def test_the_prompt_behind_a_server_has_the_size_that_the_bar_shows(
    server: str, model: str, found: Workspace, less: int
) -> None:
    """The template of Qwen adds 5 tokens to a message, and a system prompt of its own where there is none."""
    chosen: dict[str, Any] = {"policy": "naive", "model": model, "tokenizer": "estimate:words"}
    total = answer_to(found, **chosen).ledger.total
    fitting = answer_to(found, **chosen, server=server, server_context=total + 1)
    assert {action for action, _, _ in decisions(fitting).values()} <= {"kept"}
    behind = answer_to(found, **chosen, server=server, server_context=max(1, total - less))
    said = [one.message for one in behind.findings if one.code == "server_drops"]
    assert [f"the prompt has about {total:,}. " in message for message in said] == [True] * len(said)
    assert bool(said) == any(action != "kept" for action, _, _ in decisions(behind).values())


def test_what_ollama_drops_is_named_with_its_reason() -> None:
    answer = answer_to(SPOKEN, policy="naive", server="ollama", server_context=90)
    assert decisions(answer)["m0"] == ("dropped", 0, "server")
    (finding,) = (one for one in answer.findings if one.code == "server_drops")
    assert "Ollama runs this model with 90 tokens" in finding.message
    assert "drops 1 message, without a word" in finding.message


def test_a_prompt_as_long_as_the_context_loses_about_half() -> None:
    answer = answer_to(SPOKEN, policy="naive", server="ollama", server_context=113)
    assert answer.status == "ok"
    assert decisions(answer_to(SPOKEN, policy="naive", server="ollama", server_context=114))["m1"][0] == "kept"
    assert {reason for action, _, reason in decisions(answer).values() if action != "kept"} == {"server"}
    assert answer.assembly.items_total < 70


@pytest.mark.parametrize(
    ("server", "context", "status"),
    [("llamacpp", 113, "over_window"), ("llamacpp", 114, "ok"), ("vllm", 113, "ok"), ("vllm", 112, "over_window")],
)
def test_a_server_that_refuses_leaves_everything_in_and_says_so(server: str, context: int, status: str) -> None:
    answer = answer_to(SPOKEN, policy="naive", server=server, server_context=context)
    assert answer.status == status
    assert ("server_refuses" in codes(answer)) == (status == "over_window")
    assert all(action == "kept" for action, _, _ in decisions(answer).values())


def test_lm_studio_drops_the_middle_and_is_called_an_approximation() -> None:
    found = workspace(chat(10, 10, 10, 10, 10), character=NOVA)
    answer = answer_to(found, policy="naive", server="lm_studio", server_context=60)
    assert [name for name, (action, _, _) in decisions(answer).items() if action == "dropped"] == ["m1", "m2"]
    assert any("approximation" in one.message for one in answer.findings if one.code == "server_drops")


def test_a_server_has_a_context_of_its_own() -> None:
    assert [context_of(server, None, 32_768) for server in SERVERS[1:]] == [4096, 32_768, 4096, 32_768]
    assert context_of("ollama", None, 2_048) == 2_048
    assert context_of("ollama", 16_384, 32_768) == 16_384


def test_an_answer_names_the_server() -> None:
    found = answer_value(answer_to(SPOKEN, policy="naive", server="ollama", server_context=90))
    assert (found["scenario"]["server"], found["scenario"]["server_context"]) == ("ollama", 90)


@pytest.mark.parametrize(
    ("field", "value", "words_of_it"), [("server", "olama", "did you mean ollama"), ("server_context", 0, "from 1 to")]
)
def test_what_is_no_server_is_refused(field: str, value: Any, words_of_it: str) -> None:
    pipeline = pipeline_for(workspace(chat(3), memories(2)))
    with pytest.raises(ScenarioError, match=words_of_it):
        pipeline.case(Scenario(**{field: value}))


def test_a_summary_of_the_program_is_counted_and_may_be_dropped_by_the_server() -> None:
    found = workspace([Message(f"m{n}", "assistant" if n % 2 else "user", words(40)) for n in range(30)])
    chosen = {"policy": "codex_compact", "parameters": {"summary_size": 50, "auto_compact_limit": 400}}
    plain = answer_to(found, **chosen)
    assert any(one.stands for one in plain.assembly.compactions)
    behind = answer_to(found, **chosen, server="lm_studio", server_context=100)
    assert first_fault(behind.assembly.candidates, behind.assembly) == ""
    assert behind.assembly.items_total + sum(one.spent for one in behind.assembly.compactions) <= 100
