"""Links of Markdown pages: where each leads, and those that lead nowhere."""

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping

from docs.markdown import anchor

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|<(?:img|source)\b[^>]*?\b(?:src|srcset)=\"([^\"]+)\"")
_HEADING = re.compile(r"^#+ +(.*?)(?: \{#([\w.-]+)\})?$", re.MULTILINE)
_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_THEMES = ("only-light", "only-dark")
"""Fragments of pictures, by which the site shows one of two."""


def anchors_of(text: str) -> set[str]:
    """Return the anchors of the headings of a page."""
    return {named or anchor(heading) for heading, named in _HEADING.findall(_BLOCK.sub("", text))}


def links_of(text: str) -> list[str]:
    """Return the targets of links and pictures of a page, without those in code."""
    plain = _CODE.sub("", _BLOCK.sub("", text))
    return [link or picture for link, picture in _LINK.findall(plain)]


def broken_links(pages: Mapping[str, str], names: Iterable[str], is_file: Callable[[str], bool]) -> list[str]:
    """Return the links of named pages that lead nowhere, each as `page: link`.

    `pages` has texts by path; another target has to be a file. Links to other places than files are not followed.
    """
    return [
        f"{name}: {link}" for name in names for link in links_of(pages[name]) if not _leads(name, link, pages, is_file)
    ]


def _leads(name: str, link: str, pages: Mapping[str, str], is_file: Callable[[str], bool]) -> bool:
    if re.match(r"[a-z]+:", link):
        return True
    path, _, fragment = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
    if target not in pages:
        return is_file(target) and fragment in ("", *_THEMES)
    return not fragment or fragment in anchors_of(pages[target])
