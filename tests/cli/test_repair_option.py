"""--repair: broken JSON is read, and that is said; without it, it is only offered."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

_CUT = '{"messages": [{"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hel'


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(_CUT)
    return path


def test_a_repair_is_offered_and_done_when_it_is_asked_for(run: Run, broken: Path) -> None:
    refused = run("count", str(broken))
    assert refused.exit_code == 2
    assert "--repair" in refused.stderr
    repaired = run("count", str(broken), "--repair")
    assert repaired.exit_code == 0
    assert "was repaired" in repaired.stderr
    assert broken.read_text() == _CUT
