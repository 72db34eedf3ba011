"""Parameters that files hold as objects: a kind and its amount here, `trigger` and `keep` in files and answers."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from inspector import assemble
from inspector.assembly.policy import as_in_files, by_own_names, make_policy, parameter_values, parameters_in_use
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.assembly.scenario_file import read_scenario, scenario_of, sound_scenario, write_scenario
from inspector.cli import group
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import kinds_known, policies
from inspector.reading.values import UnreadableError
from inspector.reading.yaml import parse
from tests.examples import examples

EDITING, SUMMARIZE = "anthropic_context_editing", "langchain_summarize"
OBJECTS = [
    (EDITING, "trigger", {"tool_uses": 5}, {"trigger_kind": "tool_uses", "trigger_tool_uses": 5}),
    (EDITING, "trigger", {"input_tokens": 900}, {"trigger_kind": "input_tokens", "trigger_input_tokens": 900}),
    (EDITING, "exclude_tools", ["bash", "grep"], {"exclude_tools": "bash, grep"}),
    (SUMMARIZE, "trigger", [], {"trigger_kind": "never"}),
    (SUMMARIZE, "trigger", [{"fraction": 0.5}], {"trigger_kind": "fraction", "trigger_fraction": 0.5}),
    (
        SUMMARIZE,
        "trigger",
        [{"fraction": 0.8}, {"tokens": 7, "messages": 2}],
        {"trigger_kind": "clauses", "trigger_clauses": '[{"fraction": 0.8}, {"tokens": 7, "messages": 2}]'},
    ),
    (SUMMARIZE, "keep", {"messages": 8}, {"keep_kind": "messages", "keep_messages": 8}),
    (SUMMARIZE, "keep", {"tokens": 30}, {"keep_kind": "tokens", "keep_tokens": 30}),
]


def kind(policy: str) -> type:
    return policies()[0][policy]


@pytest.mark.parametrize(("policy", "name", "held", "own"), OBJECTS)
def test_a_file_and_an_answer_have_the_object(
    policy: str, name: str, held: Any, own: dict[str, Any], tmp_path: Path
) -> None:
    scenario = Scenario(policy=policy, parameters=own)
    file = tmp_path / "one.scenario.yaml"
    write_scenario(scenario, file, (), kinds_known())
    assert parse(file.read_text(encoding="utf-8"), str(file))["parameters"] == {name: held}
    assert read_scenario(file, kinds_known()) == (scenario, ())
    chat = Workspace(conversations=(Conversation("c", (Message("m0", "user", "hello"),)),))
    answered = assemble(chat, {"policy": policy, "parameters": {name: held}})["scenario"]["parameters"]
    assert answered[name] == held
    assert not set(own) - {name} & set(answered)
    assert assemble(chat, {"policy": policy, "parameters": answered})["scenario"]["parameters"] == answered


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "trigger_kind": st.sampled_from(["never", "tokens", "messages", "fraction", "clauses"]),
        "trigger_tokens": st.integers(0, 9_000),
        "trigger_messages": st.integers(0, 90),
        "trigger_fraction": st.floats(0, 1),
        "trigger_clauses": st.sampled_from(["[]", '[{"tokens":4}]', '[{"tokens": 4}, {"messages": 1}]', "[ ]"]),
        "keep_kind": st.sampled_from(["tokens", "messages", "fraction"]),
        "keep_tokens": st.integers(0, 9_000),
        "keep_fraction": st.floats(0, 1),
        "replay": st.booleans(),
    },
)


@examples(200)
@given(values=VALUES)
def test_every_scenario_is_read_back_to_equal_values(values: dict[str, Any]) -> None:
    scenario = Scenario(policy=SUMMARIZE, parameters=values)
    written = scenario_value(scenario, kind(SUMMARIZE))
    assert scenario_of(written, "", "$", kinds_known()) == (scenario, ())
    policy = make_policy(kind(SUMMARIZE), values)
    resolved = as_in_files(kind(SUMMARIZE), parameters_in_use(policy))
    assert parameter_values(make_policy(kind(SUMMARIZE), resolved)) == parameter_values(policy)
    assert by_own_names(kind(SUMMARIZE), resolved).items() <= parameter_values(policy).items()


def test_a_kind_without_its_amount_stays_a_kind() -> None:
    """The amount below it may be a preset's, which the object would replace."""
    assert as_in_files(kind(EDITING), {"trigger_kind": "tool_uses"}) == {"trigger_kind": "tool_uses"}
    assert as_in_files(kind(EDITING), {"trigger_tool_uses": 4}) == {"trigger_tool_uses": 4}


def test_a_text_that_is_no_list_of_clauses_stays_a_text() -> None:
    refused = {"trigger_kind": "clauses", "trigger_clauses": "no"}
    assert as_in_files(kind(SUMMARIZE), refused) == refused


@pytest.mark.parametrize("held", [{"tool_use": 4}, {"tool_uses": -1}, 7.5])
def test_a_wrong_object_is_an_error_at_its_place(held: Any) -> None:
    value = {"policy": EDITING, "parameters": {"trigger": held, "keep": 2}}
    with pytest.raises(UnreadableError) as refused:
        scenario_of(value, "f", "$", kinds_known())
    assert refused.value.problem.place == "$.parameters.trigger"
    sound, problems = sound_scenario(Scenario(policy=EDITING, parameters=value["parameters"]), "f", "$", kinds_known())
    assert sound.parameters == {"keep": 2}
    assert [problem.place for problem in problems] == ["$.parameters.trigger"]


@pytest.mark.parametrize(
    ("told", "held"),
    [
        (['trigger={"tokens": 40}'], [{"tokens": 40}]),
        (['trigger=[{"tokens": 40, "messages": 2}]'], [{"tokens": 40, "messages": 2}]),
        (
            ["trigger_kind=clauses", 'trigger_clauses=[{"tokens": 1}, {"messages": 2}]'],
            [{"tokens": 1}, {"messages": 2}],
        ),
    ],
)
def test_an_option_takes_the_object(told: list[str], held: Any, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text('[{"role": "user", "content": "hello"}]')
    options = [word for one in told for word in ("--set", one)]
    ran = CliRunner().invoke(group, ["assemble", str(file), "--policy", SUMMARIZE, *options, "--format", "json"])
    assert json.loads(ran.stdout)["scenario"]["parameters"]["trigger"] == held


_NESTED = st.recursive(
    st.integers(0, 9) | st.sampled_from(["a", "b"]),
    lambda held: st.dictionaries(st.sampled_from(["", "a", "b_c"]), held, max_size=2),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["", "x", "per_source"]), _NESTED, max_size=3))
def test_parameters_that_are_nested_stay_as_they_are_read(tmp_path_factory: pytest.TempPathFactory, held: Any) -> None:
    """An empty object is kept, since nothing else tells that it was there."""
    file = tmp_path_factory.mktemp("nested") / "a.scenario.json"
    file.write_text(json.dumps({"policy": "ollama", "parameters": held}))
    scenario, _ = read_scenario(file, kinds_known())
    copy = file.with_name("b.scenario.yaml")
    write_scenario(scenario, copy, [file], kinds_known())
    assert read_scenario(copy, kinds_known())[0] == scenario
    assert bool(scenario.parameters) == bool(held)


def test_an_object_of_which_nothing_is_left_goes_with_it() -> None:
    told = Scenario(policy="ratio", parameters={"memory_share": {"e": None}, "history_share": 0.5})
    sound, (problem,) = sound_scenario(told, "a.yaml", "$", kinds_known())
    assert sound.parameters == {"history_share": 0.5}
    assert problem.place == "$.parameters.memory_share.e"
