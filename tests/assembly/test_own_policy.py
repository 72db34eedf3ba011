"""The policy of the program that wrote a file."""

import json
from pathlib import Path
from typing import Any

import pytest

import inspector
from inspector.assembly.choices import ScenarioError
from inspector.assembly.own_policy import (
    OWN_POLICIES,
    OwnPolicy,
    is_in_use,
    named_own,
    own_of,
    own_policy,
    use_own,
    with_own,
)
from inspector.assembly.policy import parameters_by_name
from inspector.assembly.scenario import Scenario
from inspector.assembly.servers import SERVERS
from inspector.formats.registry import built_in_formats
from inspector.formats.sillytavern.sizes import named_sizes
from inspector.model import Conversation, Message, Source, Workspace
from inspector.plugins import policies


def opened(format_: str, *messages: Message, **fields: Any) -> Workspace:
    chat = Conversation("c", messages or (Message("m", "user", "Hello"),), origin="chat.json", **fields)
    return Workspace(conversations=(chat,), sources=(Source("chat.json", format_),))


def policy_of(workspace: Workspace) -> str:
    own = own_of(workspace, Scenario())
    return "" if own is None else own.policy


def test_the_table_names_formats_policies_and_servers_that_there_are() -> None:
    known = {each.name for each in built_in_formats()}
    assert set(OWN_POLICIES) <= known
    for format_ in OWN_POLICIES:
        own = own_of(opened(format_), Scenario())
        assert own is not None
        assert own.policy in policies()[0]
        assert own.server in SERVERS


@pytest.mark.parametrize(
    ("api", "policy"),
    [("openai", "sillytavern"), ("textgenerationwebui", "sillytavern_text"), ("kobold", "sillytavern_text")],
)
def test_the_settings_of_sillytavern_say_which_of_its_ways(api: str, policy: str) -> None:
    assert policy_of(opened("sillytavern", parameters={"main_api": api})) == policy


def test_a_task_is_of_roo_by_its_marks_or_its_mode_else_of_cline() -> None:
    mode = "<environment_details>\n# Current Mode\n<slug>code</slug>\n</environment_details>"
    plain, marked = Message("m", "user", "<task>fix</task>"), Message("n", "user", metadata={"isSummary": True})
    assert policy_of(opened("cline", plain)) == "cline_truncate"
    assert policy_of(opened("cline", plain, marked)) == "roo_context"
    assert policy_of(opened("cline", Message("m", "user", mode))) == "roo_context"


def test_a_file_of_no_program_with_known_rules_has_none() -> None:
    workspace = opened("chatgpt")
    assert own_policy(workspace, workspace.conversations[0]) is None
    assert own_policy(workspace, None) is None
    with pytest.raises(ScenarioError, match=r"not known; known are: SillyTavern, "):
        named_own(workspace, workspace.conversations)


def test_conversations_of_several_programs_have_no_common_policy() -> None:
    one, other = (Conversation(name, (), origin=name) for name in ("a", "b"))
    workspace = Workspace((one, other), sources=(Source("a", "codex"), Source("b", "jan")))
    with pytest.raises(ScenarioError, match=r"several programs \(codex_compact, jan\)"):
        named_own(workspace, workspace.conversations)
    assert named_own(workspace, (other,)).policy == "jan"


def test_the_server_behind_a_program_runs_with_the_context_that_the_file_names() -> None:
    workspace = opened("open_webui", context_window=8192)
    own, chat = own_of(workspace, Scenario()), workspace.conversations[0]
    assert own is not None
    used = use_own(Scenario(), own, chat).scenario
    assert (used.policy, used.server, used.server_context) == ("open_webui", "ollama", 8192)
    assert is_in_use(used, own)
    assert not is_in_use(Scenario(), own)
    again = use_own(used, OwnPolicy("Jan", "jan"), chat).scenario
    assert (again.policy, again.server, again.server_context) == ("jan", "none", None)


@pytest.mark.parametrize(("api", "policy"), [("openai", "sillytavern"), ("textgenerationwebui", "sillytavern_text")])
def test_sizes_of_the_settings_are_parameters_of_the_policy(api: str, policy: str) -> None:
    settings = {
        "main_api": api,
        "max_context": 6144,
        "amount_gen": 200,
        "power_user": {"pin_examples": True, "token_padding": 32},
        "oai_settings": {"openai_max_context": 16000, "openai_max_tokens": 500, "names_behavior": 2},
        "world_info_settings": {"world_info_budget": 40},
    }
    found = named_sizes(settings)
    declared = parameters_by_name(policies()[0][policy])
    assert found.pop("main_api") == api
    assert not [declared[name].trouble(value) for name, value in found.items() if declared[name].trouble(value)]
    assert (found["context_size"], found["response_length"]) == ((16000, 500) if api == "openai" else (6144, 200))
    assert found["pin_examples"] is True
    assert found["world_info_budget"] == 40
    assert found.get("names_behavior") == ("content" if api == "openai" else None)


def test_settings_of_a_wrong_type_name_nothing() -> None:
    odd = {"main_api": "openai", "oai_settings": {"openai_max_context": "many", "names_behavior": [1]}, "power_user": 3}
    assert named_sizes(odd) == {"main_api": "openai"}
    assert named_sizes({}) == {}


def test_settings_without_personas_beside_a_chat_name_its_sizes_and_its_way(tmp_path: Path) -> None:
    lines = [
        {"user_name": "Bo", "character_name": "Ines", "chat_metadata": {}},
        {"name": "Bo", "is_user": True, "mes": "Hello"},
        {"name": "Ines", "is_user": False, "mes": "Hi"},
    ]
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)))
    settings = {"main_api": "kobold", "max_context": 6144, "amount_gen": 200, "power_user": {"personas": {}}}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    for paths in ([tmp_path], [tmp_path / "settings.json", tmp_path / "chat.jsonl"]):
        workspace = inspector.load(*map(str, paths))
        assert policy_of(workspace) == "sillytavern_text"
        (chat,) = workspace.conversations
        assert (chat.parameters["context_size"], chat.parameters["response_length"]) == (6144, 200)


@pytest.mark.parametrize(
    ("model", "server"),
    [
        *((name, "ollama") for name in ("llama3.1:8b", "", "hf.co/bartowski/Qwen2.5-GGUF:Q4_K_M", "mannix/llama:q4_0")),
        *((name, "none") for name in ("gpt-4o", "openai/gpt-4o", "deepseek/deepseek-chat:free", "claude-3-opus")),
        *((name, "none") for name in ("ft:gpt-3.5-turbo:acme::7qTVM5AR", "anthropic.claude-3-haiku-20240307-v1:0")),
    ],
)
def test_open_webui_has_the_server_of_the_model_of_its_chat(model: str, server: str) -> None:
    workspace = opened("open_webui", model=model)
    own = own_of(workspace, Scenario())
    assert own is not None
    assert (own.policy, own.server) == ("open_webui", server)
    assert is_in_use(with_own(Scenario(), workspace), own)
