"""A tour as pictures: each step as PNG, and all of them as one animated picture."""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from inspector.analysis.tour import Tour
from inspector.cli.failure import InputError
from inspector.cli.output import say_written
from inspector.cli.qt import gui
from inspector.extras import install_command
from inspector.writing import write_file

_FIRST_MILLISECONDS, _WORD_MILLISECONDS = 1_500, 320
"""How long a step is shown: long enough to read its caption aloud."""


def write_tour(tour: Tour, file: str, folder: str, size: tuple[int, int], theme: str | None) -> None:
    """Write each step of the tour of a file, and one animated picture of all steps, into a folder.

    End the command if the library for animated pictures is missing, or a file cannot be written.
    """
    if find_spec("PIL") is None:
        raise InputError(f"an animated picture needs Pillow: {install_command('pictures')}")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    name, digits, contents = Path(file).name.split(".")[0], len(str(len(tour.steps))), list[bytes]()
    opened: Sequence[str] = (file,)
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for number, picture in enumerate(gui().take_tour(file, len(tour.steps), size, theme), 1):
            contents.append(picture.content)
            opened = [*picture.opened, file]
            write_file(Path(folder) / f"{name}-{number:0{digits}}.png", picture.content, opened)
        durations = [_FIRST_MILLISECONDS + _WORD_MILLISECONDS * len(step.caption.split()) for step in tour.steps]
        write_file(Path(folder) / f"{name}.gif", animated(contents, durations), opened)
    except OSError as problem:
        raise InputError(f"{folder}: cannot be written: {problem.strerror or problem}") from None
    say_written(f"the {len(contents)} steps of the tour and an animated picture", folder)


def animated(contents: Sequence[bytes], milliseconds: Sequence[int]) -> bytes:
    """Return pictures as the content of a GIF file that shows each for its time, again and again."""
    from PIL import Image  # an extra

    first, *others = [Image.open(BytesIO(content)).convert("RGB") for content in contents]
    made = BytesIO()
    first.save(made, "GIF", save_all=True, append_images=others, duration=list(milliseconds), loop=0)
    return made.getvalue()
