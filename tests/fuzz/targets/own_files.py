"""Targets: the program's own kinds of files: scenarios, inspections, settings, presets, models."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from inspector.assembly.answer import answer_value, complete_answer, planned_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.own_presets import entry_of as entry_of_preset
from inspector.assembly.own_presets import remove_preset, save_preset
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_values
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import read_scenario, write_scenario
from inspector.formats.tables.layout import TableLayout
from inspector.formats.tables.own import add_layout, own_layouts, remove_layouts
from inspector.gui.files.inspection import differences, read_inspection, write_inspection
from inspector.json_text import json_line
from inspector.plugins import kinds_known, policies
from inspector.reading.values import UnreadableError
from inspector.reading.yaml import dump
from inspector.retrieval.summaries.settings import endpoint_problem, read_endpoint
from inspector.sources import SourceProtectedError
from inspector.testing.workspaces import EVERYTHING
from inspector.tokens.choice import UnknownTokenizerError
from inspector.tokens.models.files import entry_of, read_entries
from inspector.tokens.models.importing import import_listing
from inspector.tokens.models.listing import ListingError, read_listing
from inspector.tokens.models.loading import load_models
from tests.fuzz.made import as_json, as_yaml
from tests.fuzz.outcome import BrokenPromiseError, Input
from tests.fuzz.seeds import real_files
from tests.fuzz.target import Target
from tests.fuzz.targets.using import chooser

_SCENARIO: dict[str, Any] = {
    "format": "prompt-inspector/scenario@1",
    "conversation": "c1",
    "character": "nova",
    "memory_sets": ["default"],
    "model": "gpt-4o",
    "tokenizer": "estimate:words",
    "context_window": 900,
    "query": "harbour",
    "similarity": "lexical",
    "classify": "rules",
    "summaries": "extractive",
    "summary_tokens": 20,
    "now": "2024-03-01T12:00:00Z",
    "at": 30,
    "draft": "What now?",
    "pinned": ["m3"],
    "excluded": ["k2"],
    "overrides": {"m4": {"content": "New", "key_moment": True, "time": "2024-01-01T00:00:00Z"}, "k1": {"tags": ["a"]}},
    "assistant": "Nova",
    "policy": "ratio",
    "preset": "document",
    "parameters": {"memory_share": 0.3},
    "lore": {"depth": 4, "recursive": True, "max_steps": 3, "budget_percent": 25.0, "min_activations": 1},
}  # fmt: skip


_DOCKS = ("workspace", "policy", "explanation", "prompt", "timeline")
LAYOUT: dict[str, Any] = {
    "perspective": "tune",
    "perspectives": {
        "inspect": {
            "page": "prompt",
            "left": {"width": 333, "open": True},
            "right": {"open": False},
            "windows": {"findings": {"left": 10, "top": 20, "width": 300, "height": 200}},
        },
        "tune": {"page": "survival"},
    },
}
"""How a window is arranged, as inspections and the window's own file have it."""


def open_scenario(file: Path, scratch: Path) -> None:
    """Read a scenario, write it and read it again, and assemble with it what there is."""
    try:
        scenario, _ = read_scenario(file, kinds_known())
    except UnreadableError:
        return
    copy = scratch / "copy.scenario.yaml"
    write_scenario(scenario, copy, [file], kinds_known())
    if read_scenario(copy, kinds_known())[0] != scenario:
        raise BrokenPromiseError("a scenario that is written and read again is another", repr(scenario))
    _assemble(scenario, is_complete=chooser(file.read_bytes()).random() < 0.5)


def _assemble(scenario: Scenario, *, is_complete: bool) -> None:
    """Assemble what there is, unless the scenario asks for what is not there."""
    pipeline = Pipeline(EVERYTHING, policies()[0], load_presets())
    try:
        json_line(answer_value(planned_answer(pipeline, pipeline.case(scenario))))
        if is_complete:
            json_line(answer_value(complete_answer(pipeline, scenario)))
    except (ScenarioError, UnknownTokenizerError):
        return


def open_inspection(file: Path, scratch: Path) -> None:
    """Read an inspection, look whether its files are what they were, write it and read it again; assemble with it."""
    try:
        inspection, _ = read_inspection(file, _DOCKS)
    except UnreadableError:
        return
    for problem in differences(inspection):
        str(problem).encode("utf-8", "surrogatepass")
    copy = scratch / "copy.inspection.yaml"
    moved = inspection.with_opened(inspection.absolute_paths(file), copy)
    try:
        write_inspection(moved, copy, [file])
    except SourceProtectedError:
        return
    if read_inspection(copy, _DOCKS)[0] != moved:
        raise BrokenPromiseError("an inspection that is written and read again is another", repr(moved))
    named = [one.scenario for one in inspection.snapshots]
    for scenario in filter(None, (inspection.scenario, inspection.baseline, *named[:3])):
        _assemble(scenario, is_complete=False)


def open_settings(file: Path, scratch: Path) -> None:
    """Read the endpoint of a settings file."""
    try:
        endpoint = read_endpoint(file)
    except UnreadableError:
        return
    if endpoint is not None:
        endpoint_problem(endpoint)


def open_presets(file: Path, scratch: Path) -> None:
    """Load a person's own presets, assemble under each, save one more and take it out again."""
    kinds = policies()[0]
    own = scratch / "presets.yaml"
    own.write_bytes(file.read_bytes())
    presets = load_presets(own, kinds)
    names = [key for key, preset in presets.items() if preset.is_own]
    pipeline = Pipeline(EVERYTHING, kinds, presets)
    for policy, preset in names[:6]:
        scenario = Scenario(policy=policy, preset=preset, tokenizer="estimate:words")
        json_line(answer_value(planned_answer(pipeline, pipeline.case(scenario))))
    try:
        save_preset(own, "ratio", "one more", entry_of_preset({"memory_share": 0.2}, "ratio", "document", presets), ())
        saved = {key for key, preset in load_presets(own, kinds).items() if preset.is_own}
        if saved != {*names, ("ratio", "one more")}:
            raise BrokenPromiseError("a preset that is saved changes which others there are", repr(saved))
        remove_preset(own, "ratio", "one more", ())
    except UnreadableError:
        return


def open_tables(file: Path, scratch: Path) -> None:
    """Load what a person said of tables, say one thing more and take it back."""
    own = scratch / "tables.yaml"
    own.write_bytes(file.read_bytes())
    before, more = own_layouts(own)[0], TableLayout("one_more", "another")
    try:
        add_layout(own, more, ())
        if own_layouts(own)[0] != (more, *(one for one in before if one != more)):
            raise BrokenPromiseError("what is said of a table changes what was said of others", repr(before))
        remove_layouts(own, more, ())
    except UnreadableError:
        return


def _table_seeds() -> tuple[Input, ...]:
    layouts = [{"text": "Nachricht", "speaker": "Absender"}, {"text": "q", "answer": "a", "time": "t", "id": "i"}]
    return Input("tables.yaml", as_yaml(layouts)), Input("flow.yaml", as_json(layouts))


def open_models(file: Path, scratch: Path) -> None:
    """Load a person's own rows on top of the shipped ones, and look models up."""
    table = load_models(file)
    for row in table.rows[:40]:
        asdict(row)
        table.find(row.name)
        table.matches(row.name[:3])
    entries, _ = read_entries(file)
    dump([entry for _, entry in entries]).encode()
    rng = chooser(file.read_bytes())
    scenario = Scenario(model=rng.choice(table.rows[:6]).name, policy="naive")
    pipeline = Pipeline(EVERYTHING, policies()[0], load_presets(), table)
    json_line(answer_value(planned_answer(pipeline, pipeline.case(scenario))))


def open_listing(file: Path, scratch: Path) -> None:
    """Read a public listing of models and merge it into the table."""
    try:
        listing = read_listing(file)
    except ListingError:
        return
    table = load_models()
    result = import_listing(listing, table, [], "2026-01-01")
    copy = scratch / "models.yaml"
    copy.write_text(dump(list(result.entries)), "utf-8")
    for problem in load_models(copy).problems:
        raise BrokenPromiseError("an imported row cannot be read", str(problem))


def _scenario_seeds() -> tuple[Input, ...]:
    made = (Input("full.scenario.yaml", as_yaml(_SCENARIO)), Input("full.scenario.json", as_json(_SCENARIO)))
    return (*made, *_each_policy(), *(file for file in real_files() if file.name.endswith(".scenario.yaml")))


def _each_policy() -> tuple[Input, ...]:
    """A scenario for each policy with all of its parameters, and with fields of items of every kind."""
    overrides = {"m4": {"tokens": 9}, "k1": {"priority": 3, "tags": ["a"]}, "memories/k2": {"similarity": 0.5}}
    asked = {"tokenizer": "estimate:words", "context_window": 900, "overrides": overrides}
    return tuple(
        Input(f"{name}.scenario.json", as_json({**asked, "policy": name, "parameters": parameter_values(kind())}))
        for name, kind in policies()[0].items()
    )


def _inspection_seeds() -> tuple[Input, ...]:
    inspection = {
        "format": "prompt-inspector/inspection@1",
        "sources": [{"path": "chat.json", "size": 10, "sha256": "0" * 64}, {"path": "."}],
        "scenario": _SCENARIO,
        "baseline": {"policy": "naive"},
        "snapshots": {"tight": {"context_window": 100}},
        "snapshot_notes": {"tight": "small"},
        "marks_beside": {"c1": {"must_survive": ["m1"], "notes": {"m1": "here"}}},
        "must_survive": ["m3"],
        "notes": {"m3": "the promise"},
        "layout": LAYOUT,
        "columns": [{"text": "nachricht", "speaker": "absender"}, {"text": "a", "answer": "b", "id": "nr"}],
        "unsaved": {"modified": True, "file": "/x/a.inspection.yaml", "sha256": "0" * 64, "scenario_file": "b"},
    }
    return Input("a.inspection.yaml", as_yaml(inspection)), Input("a.inspection.json", as_json(inspection))


def _settings_seeds() -> tuple[Input, ...]:
    return (
        Input("settings.yaml", as_yaml({"summaries": {"url": "http://127.0.0.1:8080/v1", "model": "m"}, "x": [1]})),
    )


def _preset_seeds() -> tuple[Input, ...]:
    presets = {
        "ratio": {
            "mine": {"title": "Mine", "description": "d", "base": "document", "parameters": {"memory_share": 0.2}},
            "2026": {"parameters": {}, "tokenizer": "estimate:words"},
        },
        "adaptive": {"lean": {"parameters": {}}},
        "naive": {"x": {}},
    }
    return Input("presets.yaml", as_yaml(presets)), Input("flow.yaml", as_json(presets))


def _model_seeds() -> tuple[Input, ...]:
    shipped = load_models().rows[:3]
    rows = [
        {"name": "gpt-4o", "context_window": 9_000},
        {"name": "mine", "context_window": 10, "aliases": ["m", "4.5"]},
    ]
    return (
        Input("models.yaml", as_yaml(rows)),
        Input("full.yaml", dump([entry_of(row) for row in shipped]).encode()),
        Input("flow.yaml", b"[{name: a, context_window: 5, price_in: 1.5, price_out: ~, max_output: 2}]\n"),
    )


def _listing_seeds() -> tuple[Input, ...]:
    import gzip

    model = {"id": "gpt-9", "limit": {"context": 9_000, "output": 100}, "cost": {"input": 1.0, "output": 2.0}}
    modalities = {"input": ["text"], "output": ["text"]}
    dev = as_json({"openai": {"id": "openai", "models": {"gpt-9": {**model, "modalities": modalities}}}})
    priced = {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 9_000, "input_cost_per_token": 1e-6}
    lite = as_json({"gpt-9": {**priced, "max_output_tokens": 10, "output_cost_per_token": 2e-6}})
    return Input("api.json", dev), Input("prices.json", lite), Input("api.json.gz", gzip.compress(dev, mtime=0))


TARGETS = (
    Target("scenario", _scenario_seeds, open_scenario, favoured=True),
    Target("inspection", _inspection_seeds, open_inspection, favoured=True),
    Target("settings", _settings_seeds, open_settings),
    Target("models", _model_seeds, open_models),
    Target("listing", _listing_seeds, open_listing),
    Target("presets", _preset_seeds, open_presets),
    Target("tables", _table_seeds, open_tables),
)
