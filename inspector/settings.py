"""The locations of data outside of results: the cache, the log, the configuration, unsaved work."""

import logging
from pathlib import Path

import platformdirs

from inspector.log import Log

_NAME = "prompt-inspector"


def cache_file() -> Path:
    """Return the SQLite file of token counts, vectors and computed summaries."""
    return platformdirs.user_cache_path(_NAME) / "counts.sqlite3"


def own_models_file() -> Path:
    """Return the file of the user's own rows of the model table, on top of the shipped ones. It need not exist."""
    return platformdirs.user_config_path(_NAME) / "models.yaml"


def own_presets_file() -> Path:
    """Return the file of the user's own presets, besides the shipped ones. It need not exist."""
    return platformdirs.user_config_path(_NAME) / "presets.yaml"


def own_tables_file() -> Path:
    """Return the file of the user's layouts for tables of messages. It need not exist."""
    return platformdirs.user_config_path(_NAME) / "tables.yaml"


def settings_file() -> Path:
    """Return the file of the user's settings outside of scenarios, such as the summary endpoint. It need not exist."""
    return platformdirs.user_config_path(_NAME) / "settings.yaml"


def own_files() -> tuple[Path, ...]:
    """Return the user's files read for every answer, which must not be overwritten."""
    return own_models_file(), own_presets_file(), own_tables_file(), settings_file()


def window_file() -> Path:
    """Return the file of the window's own state between runs. It need not exist."""
    return platformdirs.user_config_path(_NAME) / "window.yaml"


def unsaved_folder() -> Path:
    """Return the folder in which the window autosaves unsaved work. It need not exist."""
    return platformdirs.user_state_path(_NAME) / "unsaved"


def versions_folder() -> Path:
    """Return the folder in which the window keeps the previous versions of overwritten inspections."""
    return platformdirs.user_state_path(_NAME) / "before"


def pasted_folder() -> Path:
    """Return the folder in which the window keeps pasted content, as files to open again. It need not exist."""
    return platformdirs.user_state_path(_NAME) / "pasted"


def recorders_folder() -> Path:
    """Return the folder of notes about recorders in processes of their own. It need not exist."""
    return platformdirs.user_state_path(_NAME) / "recorders"


def log_file() -> Path:
    """Return the log of the window and the command line."""
    return platformdirs.user_log_path(_NAME) / "prompt-inspector.log"


def start_log() -> None:
    """Write warnings and errors of the program to its log file. If this is impossible, it is reported once."""
    logger = logging.getLogger("inspector")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(Log(log_file()))
