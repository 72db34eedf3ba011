"""Every link of the site leads to a page, a heading or a picture, and the navigation has every page."""

import re

import pytest
import yaml

from docs.build import generated_pages, loaded_from_elsewhere
from docs.links import anchors_of, broken_links, links_of
from docs.reference import KEYS_PAGE, keys_page
from tests.told import PAGES, ROOT, page, written_pages

ALL = {**{name: page(name) for name in written_pages()}, **generated_pages(), KEYS_PAGE: keys_page([])}


def _is_file(name: str) -> bool:
    return (PAGES / name).is_file()


@pytest.mark.parametrize("name", sorted(ALL))
def test_links_of_a_page_lead_somewhere(name: str) -> None:
    assert broken_links(ALL, [name], _is_file) == []


def test_links_that_lead_nowhere_are_found() -> None:
    pages = {
        "a/one.md": "# One\n[b](two.md#here) ![c](none.png) [d](two.md#there) `[e](no.md)`",
        "a/two.md": "## Here\n",
    }
    assert broken_links(pages, ["a/one.md"], lambda _: False) == ["a/one.md: none.png", "a/one.md: two.md#there"]
    assert anchors_of("# A {#b}\n## C d\n```\n# no\n```\n") == {"b", "c-d"}
    assert links_of('<img alt="x" src="p.png">') == ["p.png"]


def _pages_of(part: object) -> list[str]:
    if isinstance(part, str):
        return [part]
    return [name for one in (part.values() if isinstance(part, dict) else part) for name in _pages_of(one)]  # type: ignore[union-attr]


def test_the_navigation_has_every_page_once() -> None:
    text = (ROOT / "docs" / "mkdocs.yml").read_text("utf-8")
    assert sorted(_pages_of(yaml.safe_load(text)["nav"])) == sorted(ALL)


def test_pictures_are_of_both_themes_and_small() -> None:
    pictures = {path.name: path.stat().st_size for path in (PAGES / "pictures").iterdir()}
    stems = {re.sub(r"-(light|dark)\..*", "", name) for name in pictures}
    assert {re.sub(r"-dark\.", "-light.", name) for name in pictures} <= set(pictures)
    assert len(pictures) == 2 * len(stems)
    assert all(size < 150_000 for name, size in pictures.items() if name.endswith(".png"))


def test_what_a_page_loads_from_elsewhere_is_found(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.html").write_text(
        '<a href="https://a.example">x</a><link rel="canonical" href="https://b.example">'
        '<script src="https://c.example/d.js"></script><img src="here.png"><link href=//e.example/f.css>'
    )
    assert loaded_from_elsewhere(tmp_path) == ["a.html: https://c.example/d.js", "a.html: //e.example/f.css"]
