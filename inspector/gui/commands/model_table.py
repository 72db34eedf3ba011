"""Updating the model table in the window: a listing is chosen, merged on a worker, and the prompt made anew by it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMainWindow

from inspector.assembly.own_models import ModelImport, import_models, import_told
from inspector.gui.screens.screen import Host
from inspector.settings import own_models_file
from inspector.tokens.models.installed import installed_listing

_TITLE = "Update model table"
_FILTER = "Listings: models.dev, litellm, genai-prices (*.json *.gz *.py);;All files (*)"


def update_models(window: QMainWindow, host: Host, complain: Callable[[str, str], None]) -> None:
    """Ask for a listing and merge it into the user's own rows. That of an installed package is offered first.

    `complain` shows a title and the reason why a listing cannot be imported.
    """
    installed = installed_listing()
    path, _ = QFileDialog.getOpenFileName(window, _TITLE, str(installed.file) if installed else "", _FILTER)
    if not path:
        return
    done: list[ModelImport] = []
    write = partial(_import, Path(path), done)
    host.session.tasks.write(write, lambda: _take(host, done[0]), lambda error: complain(_TITLE, str(error)))


def _import(path: Path, done: list[ModelImport]) -> None:
    done.append(import_models(path, own_models_file()))


def _take(host: Host, done: ModelImport) -> None:
    if done.written:
        host.session.take_models()
    host.say(import_told(done, own_models_file()))
