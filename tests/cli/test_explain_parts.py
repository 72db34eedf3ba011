"""`explain` lists the parts of a message in order."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_the_parts_are_listed_in_words_and_as_json(run: Run, tmp_path: Path) -> None:
    parts = [
        {"type": "text", "text": "Look"},
        {"type": "image", "width": 1024, "height": 768, "media_type": "image/png", "bytes": 2048, "detail": "high"},
        {"type": "document", "pages": 3, "name": "a.pdf"},
    ]
    path = tmp_path / "own.workspace.json"
    messages = [{"id": "a", "role": "user", "content": parts}, {"id": "b", "role": "assistant", "content": "Sea"}]
    conversation = {"id": "c", "messages": messages}
    path.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "conversations": [conversation]}))
    told = run("explain", str(path), "--item", "a").stdout
    assert "Part 2: picture, 1,024 × 768, PNG, 2.0 KB, detail high" in told
    assert "Part 3: document, 3 pages, a.pdf" in told
    value = json.loads(run("explain", str(path), "--item", "a", "--format", "json").stdout)
    assert [part["type"] for part in value["parts"]] == ["text", "image", "document"]
    assert "Part" not in run("explain", str(path), "--item", "b").stdout.replace("Parts", "")
