"""SillyTavern presets, templates and settings beside a chat: policy, parameters, prompts, and what is not followed."""

import json
from pathlib import Path
from typing import Any

import pytest

import inspector
from inspector.assembly.choices import file_parameters
from inspector.assembly.own_policy import own_of, with_own
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_troubles
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.formats.sillytavern import presets
from inspector.model import Workspace
from inspector.plugins import policies
from inspector.reading.source import FileSource
from tests.fuzz.documents import CHAT_PRESET, TEMPLATE

LINES = [
    {"user_name": "Bo", "character_name": "Ines", "chat_metadata": {}},
    {"name": "Bo", "is_user": True, "mes": "Hello"},
    {"name": "Ines", "is_user": False, "mes": "Hi"},
    {"name": "Bo", "is_user": True, "mes": "How is the sea?"},
]
TEXT_PRESET = {"temp": 0.7, "rep_pen": 1.1, "max_length": 6144, "genamt": 250}
INSTRUCT = {"name": "ChatML", "input_sequence": "<|im_start|>user", "output_sequence": "<|im_start|>assistant"}
SETTINGS: dict[str, Any] = {
    "main_api": "openai",
    "oai_settings": {"openai_max_context": 9000, "openai_max_tokens": 300, "send_if_empty": "go on"},
    "power_user": {"personas": {}, "pin_examples": True},
}


def write(folder: Path, **files: Any) -> list[str]:
    """Write files by their names, `__` for a folder and `_` for a space; a chat is always there."""
    chat = folder / "chat.jsonl"
    chat.parent.mkdir(parents=True, exist_ok=True)
    chat.write_text("\n".join(map(json.dumps, LINES)))
    paths = [str(chat)]
    for name, value in files.items():
        path = folder / (name.replace("__", "/").replace("_", " ") + ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
        paths.append(str(path))
    return paths


def used(found: Workspace) -> tuple[str, dict[str, Any]]:
    """Return the policy of the chat and the parameters that its files give to it."""
    own = own_of(found, Scenario())
    assert own is not None
    pipeline = Pipeline(found, policies()[0], load_presets())
    case = pipeline.case(with_own(Scenario(), found))
    assert case.refusal is None or not case.refusal
    given = file_parameters(case.chosen, policies()[0][own.policy])
    assert not [*parameter_troubles(policies()[0][own.policy], given)]
    return own.policy, given


def words(found: Workspace) -> str:
    return "\n".join(problem.message for problem in found.problems)


@pytest.mark.parametrize(
    ("preset", "policy", "parameters"),
    [
        (CHAT_PRESET, "sillytavern", {"context_size": 16000, "response_length": 500, "names_behavior": "content"}),
        (TEXT_PRESET, "sillytavern_text", {"context_size": 6144, "response_length": 250}),
        (INSTRUCT, "sillytavern_text", {}),
        ({"story_string": "{{system}}", "chat_start": "***"}, "sillytavern_text", {}),
        (TEMPLATE, "sillytavern_text", {"context_size": 4096, "response_length": 200}),
        (SETTINGS, "sillytavern", {"context_size": 9000, "response_length": 300, "send_if_empty": "go on"}),
    ],
)
def test_a_preset_beside_a_chat_chooses_the_policy_and_its_parameters(
    tmp_path: Path, preset: Any, policy: str, parameters: dict[str, Any]
) -> None:
    together = write(tmp_path / "a", preset=preset)
    apart = [write(tmp_path / "chats")[0], write(tmp_path / "elsewhere", preset=preset)[1]]
    ways = [together, together[::-1], [str(tmp_path / "a")]]
    for paths in ways if preset is SETTINGS else [*ways, apart]:
        found = load_workspace(paths)
        chosen, given = used(found)
        assert chosen == policy
        assert given.items() >= parameters.items()
        assert not [one for one in found.characters if one.id.startswith("preset:")]


def test_a_preset_says_what_of_it_is_not_followed(tmp_path: Path) -> None:
    odd = {**CHAT_PRESET, "wi_format": "[{0}]", "assistant_prefill": "Sure,"}
    said = words(load_workspace(write(tmp_path / "chat", preset=odd)))
    assert "do not follow the prompt Style, wi_format, assistant_prefill" in said
    moved = {**CHAT_PRESET, "prompts": CHAT_PRESET["prompts"][:1], "prompt_order": order("chatHistory", "main")}
    assert "do not follow the order of the prompts" in words(load_workspace(write(tmp_path / "moved", preset=moved)))
    off = {**moved, "prompt_order": order("main", "!scenario", "chatHistory")}
    assert "scenario (switched off)" in words(load_workspace(write(tmp_path / "off", preset=off)))
    said = words(load_workspace(write(tmp_path / "text", preset=TEMPLATE)))
    assert "the labels of the story string" in said
    assert "the sequences of the instruct template" in said


def order(*names: str) -> list[dict[str, Any]]:
    """Return an order of prompts; those with a `!` are off."""
    each = [{"identifier": name.lstrip("!"), "enabled": not name.startswith("!")} for name in names]
    return [{"character_id": 100000, "order": []}, {"character_id": 100001, "order": each}]


def test_a_preset_of_the_program_itself_is_followed_as_a_whole() -> None:
    usual = "Write {{char}}'s next reply in a fictional chat between {{char}} and {{user}}."
    plain = {
        "prompts": [{"identifier": "main", "content": usual}, {"identifier": "nsfw", "content": ""}],
        "prompt_order": order("main", "worldInfoBefore", "charDescription", "!enhanceDefinitions", "nsfw", "jailbreak"),
        "wi_format": "{0}",
        "scenario_format": "{{scenario}}",
        "personality_format": "{{personality}}",
    }
    found = presets.load(FileSource("Default.json", json.dumps(plain).encode()))
    assert found.problems == ()
    (character,) = found.characters
    assert (character.system_prompt, character.components) == ("", ())


def test_prompts_of_a_preset_are_those_of_the_chat_where_its_card_has_none(tmp_path: Path) -> None:
    card = {"name": "Ines", "description": "A sailor.", "first_mes": "Hi", "system_prompt": "Be Ines."}
    for name, system in (("bare", "Be brief."), ("own", "Be Ines.")):
        more = {"card": {"spec": "chara_card_v2", "data": card}} if name == "own" else {}
        found = load_workspace(write(tmp_path / name, preset=CHAT_PRESET, **more))
        (character,) = found.characters
        (note,) = (piece for piece in character.components if piece.type == "depth_prompt")
        assert (character.system_prompt, note.content, note.depth, note.role) == (system, "Kindly.", 4, "user")
        texts = [one["content"] for one in inspector.assemble(found, with_own(Scenario(), found))["messages"]]
        assert texts.index("Kindly.") < texts.index("Hello") or len(texts) - texts.index("Kindly.") == 5
        assert any(system in text for text in texts)


def test_examples_switched_off_are_not_sent(tmp_path: Path) -> None:
    off = {**CHAT_PRESET, "prompt_order": order("main", "!dialogueExamples", "chatHistory")}
    assert used(load_workspace(write(tmp_path, preset=off)))[1]["strip_examples"] is True


def test_settings_give_way_to_an_opened_preset_but_not_to_stored_ones(tmp_path: Path) -> None:
    stored = {"OpenAI_Settings__A": CHAT_PRESET, "OpenAI_Settings__B": {**CHAT_PRESET, "openai_max_context": 1}}
    write(tmp_path / "stored", settings=SETTINGS, instruct__ChatML=INSTRUCT, **stored)
    found = load_workspace([str(tmp_path / "stored")])
    assert used(found)[1]["context_size"] == 9000
    assert "differ" not in words(found)
    write(tmp_path / "opened", settings=SETTINGS, mine=CHAT_PRESET)
    policy, given = used(load_workspace([str(tmp_path / "opened")]))
    assert (policy, given["context_size"], given["send_if_empty"]) == ("sillytavern", 16000, "go on")
    write(tmp_path / "other", settings=SETTINGS, mine=TEXT_PRESET)
    policy, given = used(load_workspace([str(tmp_path / "other")]))
    assert (policy, given) == ("sillytavern_text", {"context_size": 6144, "response_length": 250})


def test_presets_that_differ_are_not_followed_and_say_so(tmp_path: Path) -> None:
    paths = write(tmp_path, a=CHAT_PRESET, b={**CHAT_PRESET, "openai_max_context": 8000})
    found = load_workspace(paths)
    (problem,) = (one for one in found.problems if one.severity == "warning")
    assert "the presets a, b differ in context_size" in problem.message
    assert used(found) == ("sillytavern", {})
    assert used(load_workspace(paths[:2]))[1]["context_size"] == 16000


def test_settings_have_the_prompts_in_use(tmp_path: Path) -> None:
    inside = {**SETTINGS, "oai_settings": {**SETTINGS["oai_settings"], **CHAT_PRESET}}
    found = load_workspace(write(tmp_path / "chat", settings=inside))
    assert [one.system_prompt for one in found.characters] == ["Be brief."]
    assert "the prompt Style" in words(found)
    power = {"sysprompt": {"enabled": True, "content": "Be kind."}, "instruct": {"enabled": False, **INSTRUCT}}
    text = {"main_api": "kobold", "max_context": 6144, "power_user": power}
    found = load_workspace(write(tmp_path / "text", settings=text))
    assert [one.system_prompt for one in found.characters] == ["Be kind."]
    assert "instruct template" not in words(found)


def test_a_preset_alone_shows_its_prompts(tmp_path: Path) -> None:
    (_, path) = write(tmp_path, mine=CHAT_PRESET)
    found = load_workspace([path])
    assert [(one.id, one.system_prompt) for one in found.characters] == [("preset:mine", "Be brief.")]
    assert found.sources[0].format == "sillytavern_preset"


@pytest.mark.parametrize(
    "value",
    [
        {"prompts": "many", "prompt_order": 3},
        {"prompts": [], "prompt_order": [], "openai_max_context": "many", "names_behavior": [1]},
        {"prompts": [3, {"identifier": ["x"], "content": 5}], "prompt_order": [{"order": [{"identifier": None}, 2]}]},
        {"temp": "x", "rep_pen": None, "max_length": -4, "genamt": [2]},
        {"instruct": 3, "context": {"story_string": "x"}, "sysprompt": []},
    ],
)
def test_values_of_a_wrong_type_name_nothing(value: Any, tmp_path: Path) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert used(load_workspace(write(tmp_path, preset=value)))[1] == {}
    assert presets.sniff(source) in (0.0, 0.9)


def test_prompts_of_one_name_or_twice_in_the_order_are_parts_of_their_own() -> None:
    note = {"identifier": "note", "name": "Note", "content": "Rain.", "injection_position": 1}
    other = {**note, "identifier": "other", "content": "Fog."}
    order = [{"identifier": name, "enabled": True} for name in ("note", "other", "note")]
    value = {"prompts": [note, other], "prompt_order": [{"order": order}]}
    (character,) = presets.FORMAT.load(FileSource("p.json", json.dumps(value).encode())).characters
    assert [(one.id, one.content) for one in character.components] == [
        ("Note", "Rain."),
        ("Note-2", "Fog."),
        ("Note-3", "Rain."),
    ]
