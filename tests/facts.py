"""Golden facts about tokens and money, kept beside the real files; tests skip without them."""

import json
from pathlib import Path
from typing import Any

import pytest


def facts(data_folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a file of facts."""
    path = data_folder.parent / "golden" / "tokens" / name
    if not path.is_file():
        pytest.skip("the golden facts are not here")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
