"""Make the pictures of README and site from the program itself, in both themes.

python -m docs.pictures
"""

import os
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PIL import Image

from docs.recorded import write_session
from inspector.resources import samples_folder

if TYPE_CHECKING:
    from inspector.gui.main_window import MainWindow

PICTURES = Path(__file__).resolve().parent / "pages" / "pictures"
THEMES = ("light", "dark")
SIZE = (1440, 860)
RECORDED = "requests"
"""The picture of the recorded session, which is no sample."""
SHOWN = {
    "inspect": ("inspect", None),
    "memories": ("inspect", "memories"),
    "compare": ("compare", None),
    "flips": ("tune", "survival"),
    "replay": ("replay", None),
    RECORDED: ("replay", "requests"),
    "present": ("present", None),
}
"""The pictures by name: the perspective and the page of each."""
ITEM = "m118"
"""The item that is looked at: a promise of March, which the scenario of the sample drops."""
COLOURS = 128
SHARES = (48, 45, 42, 38, 34, 30, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62, 66, 70, 66, 62, 58, 54, 51)
"""The animation: the share of the conversation in percent, as its slider is dragged; the reply gives and takes."""
BOTH_SHARES = 83
CALM_LOOKS = 25
"""So many looks at a window in a row find it at rest: what waits for a pause of the user has begun by then."""
FRAME, MILLISECONDS = (960, 573), 260


def main() -> None:
    """Write every picture, with settings and caches of nobody."""
    with TemporaryDirectory() as home:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            os.environ[name] = home
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        PICTURES.mkdir(exist_ok=True)
        for theme in THEMES:
            for name, (perspective, page) in SHOWN.items():
                _write(f"{name}-{theme}.png", _small(_picture(theme, name, perspective, page)))
            _write(f"drag-{theme}.gif", _animated(list(_dragged(theme))))


def _picture(theme: str, name: str, perspective: str, page: str | None) -> Image.Image:
    from inspector.gui.app import drawn_window

    with drawn_window(_recorded if name == RECORDED else _opened, SIZE, theme) as (window, wait):
        wait(_calm(window))
        window.do(perspective)
        if page is not None:
            window.show_screen(page)
        wait(_calm(window))
        if name != RECORDED:
            _look_at(window)
            wait(_calm(window))
        return _grabbed(window)


def _dragged(theme: str) -> Iterator[Image.Image]:
    """Yield the window at each value of the dragged slider."""
    from inspector.assembly.edits import set_parameters
    from inspector.gui.app import drawn_window

    with drawn_window(_opened, SIZE, theme) as (window, wait):
        wait(_calm(window))
        for share in SHARES:
            shares = {"history_share": share / 100, "reserve_share": (BOTH_SHARES - share) / 100}
            window.session.edit(set_parameters, shares)
            _look_at(window)
            wait(_calm(window))
            yield _grabbed(window).resize(FRAME, Image.Resampling.LANCZOS)


def _opened() -> "MainWindow":
    from inspector.gui.app import open_window

    sample = samples_folder() / "companion"
    return open_window([f"{sample}.workspace.yaml"], f"{sample}.scenario.yaml")


def _recorded() -> "MainWindow":
    from inspector.gui.app import open_window

    file = Path.home() / "harbour.requests.jsonl"
    write_session(file)
    return open_window([str(file)])


def _calm(window: "MainWindow") -> Callable[[], bool]:
    """Return a test, asked again and again, for a window that stays at rest."""
    from inspector.gui.app import is_at_rest

    looks = 0

    def is_calm() -> bool:
        nonlocal looks
        looks = looks + 1 if is_at_rest(window) else 0
        return looks >= CALM_LOOKS

    return is_calm


def _look_at(window: "MainWindow") -> None:
    assembly = window.session.assembly
    assert assembly is not None, "a window at rest has an assembly"
    window.select(assembly.candidates.ids.index(ITEM))


def _grabbed(window: "MainWindow") -> Image.Image:
    from inspector.gui.icons import image_content

    return Image.open(BytesIO(image_content(window.grab().toImage(), "png"))).convert("RGB")


def _small(picture: Image.Image) -> bytes:
    """Return a picture as a PNG of few colours: a window has few, and a page of pictures is then quick."""
    made = BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def _animated(frames: Sequence[Image.Image]) -> bytes:
    """Return frames as an endless GIF with one palette, so that what does not change takes nothing."""
    palette = frames[0].quantize(COLOURS, dither=Image.Dither.NONE)
    first, *others = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    made = BytesIO()
    first.save(made, "GIF", save_all=True, append_images=others, duration=MILLISECONDS, loop=0, optimize=True)
    return made.getvalue()


def _write(name: str, content: bytes) -> None:
    (PICTURES / name).write_bytes(content)
    print(f"{name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
