"""A button that shows how lorebooks are scanned, and opens the settings of the scan."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QMenu, QWidget, QWidgetAction

from inspector.figures import counted
from inspector.gui.parts.buttons import MenuButton
from inspector.gui.parts.labels import Hint, PlainLabel
from inspector.gui.parts.number_field import RealField, WholeField, stand_in_column
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.theme import PANEL_MARGIN, UNIT
from inspector.retrieval.lore.book import MOST_DEPTH
from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings

NUMBERS = (
    ("depth", "Newest messages read", MOST_DEPTH, "Entries with a depth of their own read that many"),
    ("max_steps", "Scans at most", 100, "How often active entries are read in their turn; 0 for no limit"),
    (
        "min_activations",
        "Active entries at least",
        1000,
        "Older messages are read until so many are active; 0 for none",
    ),
    ("min_activations_depth", "Reading back at most", MOST_DEPTH, "How far back it reads for that; 0 for all"),
    ("budget_cap", "Tokens at most", 1_000_000, "The most that the share may come to; 0 for no limit"),
)
TRUTHS = (
    ("recursive", "Read active entries too", "The text of active entries can activate others"),
    ("whole_words", "Keys are whole words", "A key of one word is not found inside another word"),
    ("case_sensitive", "Capitals count", "Keys are found only as they are written"),
    ("include_names", "Names of speakers count", "Each message is read with the name of its speaker before it"),
    ("group_scoring", "Most keys win a group", "In an inclusion group, the entry of which most keys occur wins"),
)
NOTHING = {"max_steps": "no limit", "min_activations": "none", "min_activations_depth": "all", "budget_cap": "no limit"}
SHARE = ("Share of the window", "The part of the context window that lore may take, in percent; 0 for no budget")


def summary(settings: LoreSettings) -> str:
    """Return the settings of the scan in a few words."""
    messages = counted(settings.depth, "message")
    more = ((settings.recursive, "and active entries"), (settings.budget_percent is not None, "within a budget"))
    return " ".join((f"Reads {messages}", *(words for holds, words in more if holds)))


class LoreSettingsButton(MenuButton):
    """The settings of a scan in a menu. `settings_changed(LoreSettings)` carries the user's changes."""

    settings_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("lore_settings", "", parent=parent)
        self.setToolTip(tooltip("How lorebooks are scanned; an entry or a book with settings of its own keeps those"))
        self._settings = AS_NATIVE
        self._complaint = Hint(complaint=True, lines=2)
        self._complaint.setObjectName("lore_settings:complaint")
        self.numbers = {name: self._number(name, title, most, help) for name, title, most, help in NUMBERS}
        self.truths = {name: self._truth(name, title, help) for name, title, help in TRUTHS}
        self.share = self._share()
        self.setMenu(self._make_menu())
        self.show_settings(AS_NATIVE)

    def show_settings(self, settings: LoreSettings) -> None:
        """Show the settings of the scenario; nothing is emitted."""
        self._settings = settings
        for name, field in self.numbers.items():
            field.show_value(getattr(settings, name))
        for name, box in self.truths.items():
            with QSignalBlocker(box):
                box.setChecked(getattr(settings, name))
        self.share.show_value(settings.budget_percent or 0)
        self.setText(control_text(summary(settings)))
        self.setAccessibleName(f"How lorebooks are scanned: {summary(settings)}")

    def _number(self, name: str, title: str, most: int, help: str) -> WholeField:
        field = WholeField()
        field.setRange(0, most)
        stand_in_column(field, "1,000,000")
        field.setSpecialValueText(NOTHING.get(name, ""))
        self._name(field, name, title, help)
        field.valueChanged.connect(lambda value: self._change(name, value))
        field.refused.connect(self._complaint.say)
        return field

    def _truth(self, name: str, title: str, help: str) -> QCheckBox:
        box = QCheckBox(control_text(title))
        self._name(box, name, title, help)
        box.toggled.connect(lambda checked: self._change(name, checked))
        return box

    def _share(self) -> RealField:
        field = RealField()
        field.setRange(0, 100)
        field.setDecimals(1)
        field.setSuffix(" %")
        field.setSpecialValueText("none")
        stand_in_column(field, "1,000,000")
        self._name(field, "budget_percent", *SHARE)
        field.valueChanged.connect(lambda value: self._change("budget_percent", value or None))
        field.refused.connect(self._complaint.say)
        return field

    def _name(self, widget: QWidget, name: str, title: str, help: str) -> None:
        widget.setObjectName(f"lore_settings:{name}")
        widget.setAccessibleName(title)
        widget.setToolTip(tooltip(help))

    def _make_menu(self) -> QMenu:
        form = QWidget()
        layout = QFormLayout(form)
        layout.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        layout.setSpacing(UNIT)
        layout.addRow(PlainLabel("Newest messages read"), self.numbers["depth"])
        for box in self.truths.values():
            layout.addRow(box)
        for name, title, _most, _help in NUMBERS[1:4]:
            layout.addRow(PlainLabel(title), self.numbers[name])
        layout.addRow(PlainLabel(SHARE[0]), self.share)
        layout.addRow(PlainLabel("Tokens at most"), self.numbers["budget_cap"])
        layout.addRow(self._complaint)
        menu = QMenu(self)
        place = QWidgetAction(menu)
        place.setDefaultWidget(form)
        menu.addAction(place)
        return menu

    def _change(self, name: str, value: object) -> None:
        self.settings_changed.emit(replace(self._settings, **{name: value}))
