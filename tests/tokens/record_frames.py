"""Records what the shipped chat templates write into short chats: python -m tests.tokens.record_frames"""

import json
from dataclasses import replace

from inspector.resources import resource
from inspector.tokens.chat.format import shipped_format, shipped_formats
from inspector.tokens.chat.frames import rendered_frames

FRAMES = resource("chat_templates/frames.json")


def rendered() -> dict[str, dict[str, list[str]]]:
    """What the templates write now, as the file has it."""
    found = {}
    for name in sorted(shipped_formats()):
        frames = rendered_frames(replace(shipped_format(name), frames={}))
        found[name] = {probe: [segment.text for segment in segments] for probe, segments in frames.items()}
    return found


if __name__ == "__main__":
    lines = [
        f"  {json.dumps(name)}: {{\n"
        + ",\n".join(
            f"    {json.dumps(probe)}: {json.dumps(texts, ensure_ascii=False)}" for probe, texts in frames.items()
        )
        + "\n  }"
        for name, frames in rendered().items()
    ]
    FRAMES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
