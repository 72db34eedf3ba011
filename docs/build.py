"""Build the site: write all pages, run MkDocs strictly, and see that no page loads anything from elsewhere.

python -m docs.build
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from docs.fields import fields_page
from docs.reference import KEYS_PAGE, keys_page, reference_pages
from inspector.resources import resource

HERE = Path(__file__).resolve().parent
WRITTEN = HERE / "pages"
BUILT = HERE.parent / "build" / "docs"
_ICON = "desktop/icons/hicolor/scalable/apps/prompt-inspector.svg"
_LOADED = re.compile(r"<(?:script|img|iframe|link|source)\b[^>]*?\b(?:src|href)=[\"']?((?:https?:)?//[^\"' >]*)[^>]*>")


def generated_pages() -> dict[str, str]:
    """Return the text of every generated page, but for that of the keys, by its path in the site."""
    return {**reference_pages(), "reference/fields.md": fields_page()}


def keys() -> Iterator[tuple[str, str, str, str]]:
    """Yield the keys of a window: action, keys, place, and more."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from inspector.gui.app import make_application, open_window  # the only part that needs Qt
    from inspector.gui.help.keys import key_list

    make_application()
    window = open_window([])
    try:
        for line in key_list(window):
            title, pressed, place, more = line.cells
            yield title, pressed, place, more
    finally:
        window.close()


def write_pages(folder: Path) -> None:
    """Write the pages of the site to an empty folder: those written by hand, and those generated."""
    shutil.copytree(WRITTEN, folder)
    shutil.copy(resource(_ICON), folder / "icon.svg")
    for name, text in {**generated_pages(), KEYS_PAGE: keys_page(keys())}.items():
        (folder / name).write_text(text, "utf-8")


def loaded_from_elsewhere(site: Path) -> list[str]:
    """Return what pages of a built site load over a network; links of readers are no such thing."""
    return [
        f"{page.relative_to(site)}: {found[1]}"
        for page in sorted(site.rglob("*.html"))
        for found in _LOADED.finditer(page.read_text("utf-8"))
        if 'rel="canonical"' not in found[0]
    ]


def main() -> int:
    """Build the site in build/docs/site, and return the exit code."""
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir(parents=True)
    write_pages(BUILT / "pages")
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(HERE / "mkdocs.yml")]
    code = subprocess.run(mkdocs, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}).returncode
    if code == 0 and (found := loaded_from_elsewhere(BUILT / "site")):
        print("\n".join(["Pages load from elsewhere:", *found]), file=sys.stderr)
        return 1
    if code == 0:
        print(f"The site is in {BUILT / 'site'}: open index.html; its search needs python -m http.server there")
    return code


if __name__ == "__main__":
    sys.exit(main())
