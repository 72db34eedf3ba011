"""Who an item is from: the same words in the list of items and in a replay."""

from building import answer_to, workspace

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.replay.ask import replays
from inspector.analysis.replay.falls import FALL_COLUMNS, falls_of
from inspector.assembly.columns import Kind
from inspector.assembly.lacking import make_all
from inspector.assembly.listed_items import LISTED_COLUMNS
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import read_scenario
from inspector.assembly.scenario_values import no_kind
from inspector.assembly.who import about, who
from inspector.formats import load_workspace
from inspector.model import Character, Component, Lorebook, LoreEntry, Message
from inspector.plugins import policies
from inspector.resources import samples_folder


def sample() -> tuple[Pipeline, Scenario]:
    folder = samples_folder()
    pipeline = Pipeline(load_workspace([str(folder / "companion.workspace.yaml")]), policies()[0], load_presets())
    return pipeline, read_scenario(folder / "companion.scenario.yaml", no_kind)[0]


def test_messages_without_names_are_from_the_only_character_and_profile() -> None:
    pipeline, scenario = sample()
    assembly = pipeline.assemble(make_all(pipeline, scenario))
    candidates = assembly.candidates
    messages = candidates.rows(Kind.MESSAGE).tolist()
    assert {who(candidates, row) for row in messages} == {"Nell", "Mara"}
    assert who(candidates, int(candidates.rows(Kind.MEMORY)[0])) == "Memory"
    listed = next(column for column in LISTED_COLUMNS if column.key == "who")
    rows = range(len(candidates))
    said = [str(listed.value(assembly, row)).partition(":")[0] for row in rows]
    assert said == [who(candidates, row) for row in rows]


def test_a_replay_says_the_same() -> None:
    pipeline, scenario = sample()
    (found,) = result_of(replays(Basis(pipeline, scenario), (None,)))
    falls = falls_of(found)
    column = next(column for column in FALL_COLUMNS if column.key == "who")
    said = [column.value(falls, fall) for fall in range(len(falls))]
    assert said == [who(found.candidates, int(row)) for row in falls.rows]
    assert {"Nell", "Mara", "Memory"} <= {*said}


def test_a_note_among_the_messages_has_its_place() -> None:
    pieces = (
        Component("depth_prompt", "depth_prompt", "be kind", 1, depth=2, role="user"),
        Component("authors_note", "authors_note", "be brief", 2, depth=1),
        Component("description", "description", "Nova", 3),
    )
    entries = (
        LoreEntry("far", "harbour", constant=True, position="at_depth", activation={"depth": 3, "role": "assistant"}),
        LoreEntry("fixed", "harbour", constant=True, position="before_char", activation={"depth": 3}),
    )
    found = workspace(
        [Message("m0", "user", "hello")],
        character=Character("nova", components=pieces),
        lorebooks=(Lorebook("book", entries),),
    )
    candidates = answer_to(found, policy="sillytavern").assembly.candidates
    said = {name: about(candidates, row) for row, name in enumerate(candidates.ids)}
    assert said["depth_prompt"] == "2 messages from the end, as user"
    assert said["authors_note"] == "1 message from the end"
    assert said["far"] == "3 messages from the end, as assistant"
    assert said["description"] == said["fixed"] == ""
