"""A workspace starts with the scenario of its name beside it."""

from pathlib import Path

import pytest

from inspector.assembly.scenario_file import scenario_among, scenario_beside

SCENARIO = "format: prompt-inspector/scenario@1\nmodel: gpt-4o\n"


def made(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).write_text(SCENARIO if ".scenario." in name else "format: prompt-inspector/workspace@1\n")
    return [folder / name for name in names]


@pytest.mark.parametrize("workspace", ["a.workspace.yaml", "a.workspace.yml", "a.workspace.json"])
@pytest.mark.parametrize("scenario", ["a.scenario.yaml", "a.scenario.yml", "a.scenario.json"])
def test_it_lies_beside_under_the_same_name(tmp_path: Path, workspace: str, scenario: str) -> None:
    file, beside = made(tmp_path, workspace, scenario)
    assert scenario_beside(file) == scenario_among([file]) == beside


def test_of_another_name_or_beside_another_kind_of_file_it_is_not_taken(tmp_path: Path) -> None:
    file, _, chat = made(tmp_path, "a.workspace.yaml", "b.scenario.yaml", "b.json")
    assert scenario_beside(file) is None
    assert scenario_beside(chat) is None


def test_a_file_of_another_program_under_its_name_is_not_taken(tmp_path: Path) -> None:
    (file,) = made(tmp_path, "a.workspace.yaml")
    (tmp_path / "a.scenario.yaml").write_text("steps: []\n")
    assert scenario_beside(file) is None


def test_one_that_is_named_comes_first_and_those_in_a_folder_last(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (inside,) = made(folder, "0.scenario.yaml")
    file, beside, named = made(tmp_path, "a.workspace.yaml", "a.scenario.yaml", "z.scenario.yaml")
    assert scenario_among([folder]) == inside
    assert scenario_among([folder, file]) == beside
    assert scenario_among([folder, file, named]) == named
