"""A tour as pictures: each step as the window shows it, and all of them in one animated picture."""

from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from PySide6.QtWidgets import QApplication

from inspector.analysis.tour import read_tour
from inspector.cli import group, tour_pictures
from inspector.resources import samples_folder

FILE = samples_folder() / "policies.tour.yaml"


@pytest.mark.usefixtures("qapp")
def test_each_step_is_a_picture_and_all_are_one_animated(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    out = tmp_path / "made" / "here"
    done = CliRunner().invoke(group, ["--tour", str(FILE), "--out", str(out), "--size", "800x500"])
    assert done.exit_code == 0, done.output
    steps = read_tour(FILE)[0].steps
    names = [f"policies-{number}.png" for number in range(1, len(steps) + 1)]
    assert sorted(path.name for path in out.iterdir()) == [*names, "policies.gif"]
    contents = [(out / name).read_bytes() for name in names]
    assert len(set(contents)) == len(steps)
    assert {image.open(BytesIO(content)).size for content in contents} == {(800, 500)}
    with image.open(out / "policies.gif") as moving:
        assert moving.n_frames == len(steps)
        durations = []
        for frame in range(moving.n_frames):
            moving.seek(frame)
            durations.append(moving.info["duration"])
    assert durations == [1_500 + 320 * len(step.caption.split()) for step in steps]
    assert QApplication.topLevelWidgets() == [] or not any(each.isVisible() for each in QApplication.topLevelWidgets())


def test_what_cannot_be_written_ends_it_with_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = CliRunner().invoke
    assert "--tour FILE" in run(group, ["--out", str(tmp_path)]).stderr
    in_the_way = tmp_path / "file"
    in_the_way.write_text("x", "utf-8")
    pytest.importorskip("PIL")
    done = run(group, ["--tour", str(FILE), "--out", str(in_the_way)])
    assert done.exit_code != 0
    assert done.stderr.count("\n") == 1
    monkeypatch.setattr(tour_pictures, "find_spec", lambda name: None)
    missing = run(group, ["--tour", str(FILE), "--out", str(tmp_path / "out")])
    assert "[pictures]" in missing.stderr
    assert not (tmp_path / "out").exists()
