"""The window's state between runs: place, layout, theme, text size, columns and recent files, in one YAML file.

It is checked and bounded like any other file: the window starts whatever the file contains.
"""

import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import RLock
from typing import Any, get_args

from PySide6.QtCore import QEvent, QObject, QRect, QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QDialog

from inspector.assembly.side_choice import SideChoice, read_side_choice
from inspector.assembly.side_choice import choice_value as side_value
from inspector.formats.own_file import OwnFile
from inspector.gui.remembered.layout import Rectangle, WindowLayout
from inspector.gui.remembered.layout_text import (
    read_rectangle,
    read_window_layout,
    rectangle_value,
    window_layout_value,
)
from inspector.gui.table.column_arrangement import ColumnChoice, choice_value, read_choice
from inspector.gui.theme import ThemeName
from inspector.model import Problem
from inspector.reading.decode import settled
from inspector.reading.values import UnreadableError, as_text, as_whole, items_of, mapping
from inspector.reading.yaml import YamlMapping
from inspector.settings import window_file

MOST_BYTES = 200_000
MOST_RECENT = 10
MOST_ABOUT = 200
MOST_TOGETHER = 50
MOST_USED = 60
MOST_STEPS = 30
MOST_TABLES = 60
MOST_SIDES = 40
_MOST_CHARACTERS = 4_096  # of a path or a key
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class About:
    """Facts about an opening: its contents in a few words, and its last time."""

    words: str
    time: datetime


@dataclass(frozen=True)
class _Remembered:
    """The contents of the file. `place` is the window's when not maximized; `layout` is read once screens are known."""

    theme: ThemeName = "system"
    zoom: int = 0
    recent: tuple[tuple[str, ...], ...] = ()
    about: Mapping[str, "About"] = field(default_factory=dict)
    used: tuple[str, ...] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)
    unfolded: Mapping[str, bool] = field(default_factory=dict)
    place: Rectangle | None = None
    maximized: bool = False
    layout: Any = None
    sides: tuple[SideChoice, ...] | None = None
    legend: bool = False
    compact: bool = False


class WindowState:
    """The remembered state of the main window, for any thread. Errors in reading or writing are only logged.

    Other windows write the same file: each change is applied to its current contents.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._file = OwnFile(window_file(), "", "values by name", {}, 1, MOST_BYTES, only_program=True)
        self._held = self._read()

    @property
    def theme(self) -> ThemeName:
        """The chosen theme."""
        return self._held.theme

    @theme.setter
    def theme(self, name: ThemeName) -> None:
        self._remember(theme=name)

    @property
    def zoom(self) -> int:
        """Text size as steps of one point from the system's."""
        return self._held.zoom

    @zoom.setter
    def zoom(self, steps: int) -> None:
        self._remember(zoom=steps)

    @property
    def recent(self) -> tuple[tuple[str, ...], ...]:
        """The paths of the last openings, newest first."""
        return self._held.recent

    def about(self, paths: Sequence[str]) -> About | None:
        """Return the facts about a recent opening, if known."""
        return self._held.about.get(paths[0])

    def add_recent(self, paths: Sequence[str], words: str = "") -> None:
        """Remember these paths as opened together now; `words` tell their contents."""
        paths = tuple(filter(_is_text, paths))[:MOST_TOGETHER]
        first = (paths,) if paths else ()
        fact = {paths[0]: About(words[:MOST_ABOUT], datetime.now().replace(microsecond=0))} if paths else {}

        def add(held: _Remembered) -> _Remembered:
            others = (known for known in held.recent if known != paths)
            recent = (*first, *others)[:MOST_RECENT]
            return replace(held, recent=recent, about=_of_recent({**held.about, **fact}, recent))

        self._change(add)

    def drop_recent(self, failed: Collection[str]) -> None:
        """Forget openings of which nothing is readable any longer."""
        is_gone = lambda known: {*known} <= {*failed}  # noqa: E731 - of the openings that any window remembers
        self._change(lambda held: replace(held, recent=tuple(one for one in held.recent if not is_gone(one))))

    def clear_recent(self) -> None:
        """Forget all openings."""
        self._remember(recent=(), about={})

    @property
    def used(self) -> tuple[str, ...]:
        """The keys of recent choices, newest first."""
        return self._held.used

    def add_used(self, key: str) -> None:
        """Remember a choice."""
        first = tuple(filter(_is_text, [key]))

        def add(held: _Remembered) -> _Remembered:
            return replace(held, used=(*first, *(other for other in held.used if other != key))[:MOST_USED])

        self._change(add)

    @property
    def sides(self) -> tuple[SideChoice, ...] | None:
        """The settings set side by side, None if the user has never chosen any."""
        return self._held.sides

    @sides.setter
    def sides(self, choices: tuple[SideChoice, ...]) -> None:
        self._remember(sides=tuple(one for one in choices if _is_text(one.name))[:MOST_SIDES])

    @property
    def legend(self) -> bool:
        """Whether the bar has its legend."""
        return self._held.legend

    @legend.setter
    def legend(self, legend: bool) -> None:
        self._remember(legend=legend)

    @property
    def compact(self) -> bool:
        """Whether rows are lower than usual."""
        return self._held.compact

    @compact.setter
    def compact(self, compact: bool) -> None:
        self._remember(compact=compact)

    def columns(self, table: str) -> ColumnChoice:
        """Return the user's arrangement of the columns of a table, by the table's name."""
        return read_choice(self._held.columns.get(table))

    def keep_columns(self, table: str, choice: ColumnChoice) -> None:
        """Remember the user's arrangement of the columns of a table."""
        value = choice_value(choice)

        def put(held: _Remembered) -> _Remembered:
            others = {name: before for name, before in held.columns.items() if name != table}
            return replace(held, columns={**others, table: value} if value else others)

        self._change(put)

    @property
    def unfolded(self) -> Mapping[str, bool]:
        """Whether each group turned by the user is unfolded, by name."""
        return self._held.unfolded

    def keep_unfolded(self, group: str, is_unfolded: bool) -> None:
        """Remember whether a group is unfolded."""
        self._change(lambda held: replace(held, unfolded={**held.unfolded, group: is_unfolded}))

    @property
    def place(self) -> Rectangle | None:
        """The place of the last window when not maximized."""
        return self._held.place

    @property
    def maximized(self) -> bool:
        """Whether the last window was maximized."""
        return self._held.maximized

    def layout(self, screens: Collection[str]) -> WindowLayout | None:
        """Return the layout of the last window, for a window with these screens."""
        if self._held.layout is None:
            return None
        layout, problems = read_window_layout(self._held.layout, screens, str(self._file.path), "$.layout")
        _tell(problems)
        return layout

    def keep(self, place: Rectangle, maximized: bool, layout: WindowLayout) -> None:
        """Remember the place and layout of a window."""
        self._remember(place=place, maximized=maximized, layout=window_layout_value(layout))

    def _remember(self, **changes: Any) -> None:
        self._change(lambda held: replace(held, **changes))

    def _change(self, change: Callable[[_Remembered], _Remembered]) -> None:
        """Write a change to the file. If that fails, it applies to this window alone."""

        def write(document: dict[str, Any]) -> None:
            self._held = change(self._remembered(document))
            document.clear()
            document.update(_value(self._held))

        with self._lock:
            before = self._held
            try:
                self._file.change(write, ())
            except (UnreadableError, OSError) as error:
                self._held = change(before)
                _log.warning("the window is not remembered: %s", error)

    def _read(self) -> _Remembered:
        try:
            return self._remembered(self._file.read()[0])
        except UnreadableError as error:
            _tell((error.problem,))
            return _Remembered()

    def _remembered(self, document: Mapping[str, Any]) -> _Remembered:
        if not document:
            return _Remembered()
        value = mapping(settled(YamlMapping(document), Any))
        theme: ThemeName = next((name for name in get_args(ThemeName) if name == value.get("theme")), "system")
        zoom = as_whole(value.get("zoom")) or 0
        items = list(mapping(value.get("unfolded")).items())[:MOST_TABLES]
        place, problems = (None, ())
        if "place" in value:
            place, problems = read_rectangle(value["place"], str(self._file.path), "$.place")
        _tell(problems)
        recent = tuple(filter(None, map(_paths, items_of(value.get("recent"))[:MOST_RECENT])))
        return _Remembered(
            theme=theme,
            zoom=max(-MOST_STEPS, min(MOST_STEPS, zoom)),
            recent=recent,
            about=_of_recent(dict(_facts(mapping(value.get("about")))), recent),
            used=tuple(key for key in items_of(value.get("used"))[:MOST_USED] if _is_text(key)),
            columns=dict(list(mapping(value.get("columns")).items())[:MOST_TABLES]),
            unfolded={name: is_so for name, is_so in items if _is_text(name) and isinstance(is_so, bool)},
            place=place,
            maximized=value.get("maximized") is True,
            layout=value.get("layout"),
            sides=_sides(value.get("sides")),
            legend=value.get("legend") is True,
            compact=value.get("compact") is True,
        )


def _sides(value: Any) -> tuple[SideChoice, ...] | None:
    return tuple(filter(None, map(read_side_choice, items_of(value)[:MOST_SIDES]))) if isinstance(value, list) else None


def _is_text(value: Any) -> bool:
    """Return whether this is writable text, such as a path; file names may have bytes that are not text."""
    return isinstance(value, str) and len(value) <= _MOST_CHARACTERS and not _NO_TEXT.search(value)


def _paths(value: Any) -> tuple[str, ...]:
    """Return the paths of an opening."""
    return tuple(filter(_is_text, items_of(value)[:MOST_TOGETHER]))


def _facts(value: Mapping[str, Any]) -> Iterator[tuple[str, About]]:
    """Yield the facts about openings that can be read."""
    for path, fact in value.items():
        words, time = (as_text(mapping(fact).get(name)) for name in ("words", "time"))
        if _is_text(words):
            with suppress(ValueError):
                yield path, About(words[:MOST_ABOUT], datetime.fromisoformat(time).replace(tzinfo=None))


def _of_recent(about: Mapping[str, About], recent: Sequence[Sequence[str]]) -> dict[str, About]:
    firsts = {paths[0] for paths in recent}
    return {path: fact for path, fact in about.items() if path in firsts}


def _value(held: _Remembered) -> dict[str, Any]:
    return {
        "theme": held.theme,
        "zoom": held.zoom,
        "recent": [list(paths) for paths in held.recent],
        **({"about": {path: _fact_value(fact) for path, fact in held.about.items()}} if held.about else {}),
        **({"used": list(held.used)} if held.used else {}),
        **({"columns": dict(held.columns)} if held.columns else {}),
        **({"unfolded": dict(held.unfolded)} if held.unfolded else {}),
        **({"place": rectangle_value(held.place)} if held.place else {}),
        "maximized": held.maximized,
        **({"legend": True} if held.legend else {}),
        **({"compact": True} if held.compact else {}),
        **({"layout": held.layout} if held.layout is not None else {}),
        **({"sides": list(map(side_value, held.sides))} if held.sides is not None else {}),
    }


def _fact_value(fact: About) -> dict[str, str]:
    return {"words": fact.words, "time": fact.time.isoformat()}


def _tell(problems: Sequence[Problem]) -> None:
    for problem in problems:
        _log.warning("%s", problem)


TITLE_BAR = 32
"""Pixels left for the title above a newly placed window; its height is not known in advance."""
FRAME = 4
"""Pixels beside and below a newly placed window, for its frame."""


def rectangle_of(geometry: QRect) -> Rectangle:
    """Return a geometry of Qt as a value."""
    return Rectangle(geometry.left(), geometry.top(), geometry.width(), geometry.height())


def on_screen(place: Rectangle) -> QRect:
    """Return the place, shrunk and moved as far as necessary to fit on the nearest screen.

    A place that already fits stays: a window was there, perhaps under a title lower than `TITLE_BAR`.
    """
    wanted = QRect(place.left, place.top, place.width, place.height)
    screen = QGuiApplication.screenAt(wanted.center()) or QGuiApplication.primaryScreen()
    if screen.availableGeometry().contains(wanted):
        return wanted
    room = _room(screen)
    wanted.setSize(wanted.size().boundedTo(room.size()))
    wanted.moveLeft(max(room.left(), min(wanted.left(), room.right() - wanted.width() + 1)))
    wanted.moveTop(max(room.top(), min(wanted.top(), room.bottom() - wanted.height() + 1)))
    return wanted


def fitted(size: QSize, screen: QScreen) -> QSize:
    """Return the size, limited to the room on a screen."""
    return size.boundedTo(_room(screen).adjusted(FRAME, 0, -FRAME, -2 * FRAME).size())


class FittingDialogs(QObject):
    """Fits dialogs to their screen: Qt's own file dialogs would be higher than a laptop's.

    They are watched from when they are polished, and their preferred size is known when they are shown.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit a dialog before Qt places it."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QDialog):
            watched.resize(fitted(watched.size(), watched.screen()))
        return super().eventFilter(watched, event)


def _room(screen: QScreen) -> QRect:
    return screen.availableGeometry().adjusted(0, TITLE_BAR, 0, 0)
