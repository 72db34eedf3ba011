"""The page of keys in the documentation is the list of Help ▸ Keys."""

from collections.abc import Callable

from docs.build import keys
from docs.reference import keys_page
from inspector.gui.help.keys import PARTS, key_list
from inspector.gui.main_window import MainWindow


def test_the_page_has_every_key_of_a_window(opened: Callable[..., MainWindow]) -> None:
    shown = [line.cells for line in key_list(opened())]
    told = list(keys())
    assert told == [tuple(cells) for cells in shown]
    page = keys_page(told)
    assert all(f"## {part}\n" in page for part in PARTS)
    assert "| Undo | `Ctrl+Z` |" in page
