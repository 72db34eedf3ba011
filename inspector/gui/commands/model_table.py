"""Updating the model table in the window: a listing is chosen, merged on a worker, and the prompt made anew by it."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox

from inspector.assembly.own_models import ModelImport, import_models, import_told
from inspector.gui.screens.screen import Host
from inspector.settings import own_models_file
from inspector.tokens.models.installed import installed_listing

_TITLE = "Update model table"
_FILTER = "Listings: models.dev, litellm, genai-prices (*.json *.gz *.py);;All files (*)"


def update_models(window: QMainWindow, host: Host) -> None:
    """Ask for a listing and merge it into the user's own rows. That of an installed package is offered first."""
    installed = installed_listing()
    path, _ = QFileDialog.getOpenFileName(window, _TITLE, str(installed.file) if installed else "", _FILTER)
    if not path:
        return
    done: list[ModelImport] = []
    write = partial(_import, Path(path), done)
    host.session.tasks.write(write, lambda: _take(host, done[0]), lambda error: _complain(window, str(error)))


def _import(path: Path, done: list[ModelImport]) -> None:
    done.append(import_models(path, own_models_file()))


def _take(host: Host, done: ModelImport) -> None:
    if done.written:
        host.session.take_models()
    host.say(import_told(done, own_models_file()))


def _complain(window: QMainWindow, words: str) -> None:
    box = QMessageBox(QMessageBox.Icon.Warning, _TITLE, words, QMessageBox.StandardButton.Ok, window)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
