"""Inspections: what is written is read again; moved and changed sources are told; sources are never written to."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.marks import ItemKey, Marks
from inspector.assembly.scenario import Scenario
from inspector.assembly.snapshots import Snapshot
from inspector.gui.files.inspection import Inspection, differences, read_inspection, write_inspection
from inspector.gui.remembered.layout import Column, Layout, Rectangle, WindowLayout
from inspector.reading.values import UnreadableError
from inspector.sources import SourceProtectedError

DOCKS = ("findings", "text")
SCENARIO = Scenario(
    conversation="c1", pinned=("m1", "m2"), overrides={"m7": {"key_moment": True}}, parameters={"memory_share": 0.35}
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A chat in a folder of its own."""
    folder = tmp_path / "chats"
    folder.mkdir()
    file = folder / "talk.json"
    file.write_text('[{"role": "user", "content": "hello"}]')
    return file


def test_everything_comes_back(tmp_path: Path, source: Path) -> None:
    file = tmp_path / "a.inspection.yaml"
    inspection = Inspection.of(
        [str(source)],
        file,
        SCENARIO,
        Scenario(policy="naive"),
        snapshots=(
            Snapshot("tight window", Scenario(context_window=4096), "for the small model"),
            Snapshot("b", SCENARIO),
        ),
        marks=Marks(
            (ItemKey("m3"), ItemKey("k1"), ItemKey("m3", "c2")),
            {ItemKey("m3"): "the promise\nof March", ItemKey("m3", "c2"): "another one"},
        ),
        layout=WindowLayout(
            {"inspect": Layout("findings", Column(300), windows={"findings": Rectangle(1, 2, 300, 400)})},
            "tune",
        ),
    )
    write_inspection(inspection, file)
    read, problems = read_inspection(file, DOCKS)
    assert read == inspection
    assert (*problems, *differences(read)) == ()
    assert read.paths == ("chats/talk.json",)
    assert read.absolute_paths(file) == (str(source),)


def test_the_file_says_its_format_and_may_be_moved_with_its_sources(tmp_path: Path, source: Path) -> None:
    file = tmp_path / "a.inspection.yaml"
    write_inspection(Inspection.of([str(source)], file, SCENARIO), file)
    assert file.read_text().startswith("format: prompt-inspector/inspection@1\n")
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    file.rename(moved / file.name)
    source.parent.rename(moved / "chats")
    read, problems = read_inspection(moved / file.name, DOCKS)
    assert (*problems, *differences(read)) == ()
    assert Path(read.absolute_paths(moved / file.name)[0]).is_file()


def test_changed_and_missing_sources_are_told_and_kept(tmp_path: Path, source: Path) -> None:
    other = source.with_name("other.json")
    other.write_text("[]")
    file = tmp_path / "a.inspection.yaml"
    write_inspection(Inspection.of([str(source), str(other), str(source.parent)], file, SCENARIO), file)
    source.write_text('[{"role": "user", "content": "HELLO"}]')
    other.unlink()
    read, problems = read_inspection(file, DOCKS)
    assert problems == ()
    problems = tuple(differences(read))
    assert [(Path(problem.file).name, problem.severity) for problem in problems] == [
        ("talk.json", "warning"),
        ("other.json", "warning"),
        ("chats", "warning"),
    ]
    assert "changed" in problems[0].message
    assert "no longer there" in problems[1].message
    assert len(read.paths) == 3


def test_a_source_is_never_written_to(source: Path) -> None:
    before = source.read_bytes()
    with pytest.raises(SourceProtectedError):
        write_inspection(Inspection.of([str(source)], source, SCENARIO), source)
    assert source.read_bytes() == before


def test_an_unknown_key_and_a_bad_part_are_problems_and_another_format_is_unreadable(tmp_path: Path) -> None:
    file = tmp_path / "a.inspection.yaml"
    file.write_text("format: prompt-inspector/inspection@1\nsources: []\nmood: calm\n")
    _, problems = read_inspection(file, DOCKS)
    assert [problem.place for problem in problems] == ["$.mood"]
    file.write_text("format: prompt-inspector/inspection@1\nscenario: {context_window: wide}\nfilter: kept\n")
    read, (problem,) = read_inspection(file, DOCKS)
    assert (read.filter, read.scenario) == ("kept", Scenario())
    assert (problem.place, problem.severity) == ("$.scenario.context_window", "error")
    file.write_text("format: prompt-inspector/inspection@9\n")
    with pytest.raises(UnreadableError, match="inspection@1"):
        read_inspection(file, DOCKS)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.inspection.yaml"
    write_inspection(Inspection(scenario=SCENARIO), file)
    before = file.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_inspection(Inspection(), file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


_LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")  # what files are cleaned of


@given(text=st.text(_LETTERS, max_size=40), name=st.text(_LETTERS, min_size=1, max_size=20))
def test_any_text_survives(text: str, name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("any") / "a.inspection.yaml"
    inspection = Inspection(
        scenario=Scenario(query=text, draft=text),
        marks=Marks(notes={ItemKey(name): text}),
        snapshots=(Snapshot(name, Scenario(query=text)),),
    )
    write_inspection(inspection, file)
    assert read_inspection(file, DOCKS)[0] == inspection
