"""Where the program keeps what is not part of a result: the cache, the log, the configuration, unsaved work."""

import logging
from pathlib import Path

import platformdirs

from inspector.log import Log

_NAME = "prompt-inspector"


def cache_file() -> Path:
    """The SQLite file of token counts, vectors and computed summaries."""
    return platformdirs.user_cache_path(_NAME) / "counts.sqlite3"


def own_models_file() -> Path:
    """The person's own rows of the model table, which stand on top of the shipped ones. It need not be there."""
    return platformdirs.user_config_path(_NAME) / "models.yaml"


def own_presets_file() -> Path:
    """The presets that the person saved beside the shipped ones. It need not be there."""
    return platformdirs.user_config_path(_NAME) / "presets.yaml"


def own_tables_file() -> Path:
    """What the person said of the columns of tables of messages. It need not be there."""
    return platformdirs.user_config_path(_NAME) / "tables.yaml"


def settings_file() -> Path:
    """What the person set that is part of no scenario, such as the endpoint for summaries. It need not be there."""
    return platformdirs.user_config_path(_NAME) / "settings.yaml"


def own_files() -> tuple[Path, ...]:
    """The files of the person that are read for every answer, and that nothing else is written over."""
    return own_models_file(), own_presets_file(), own_tables_file(), settings_file()


def window_file() -> Path:
    """What the window remembers between runs by itself. It need not be there."""
    return platformdirs.user_config_path(_NAME) / "window.yaml"


def unsaved_folder() -> Path:
    """Where the window keeps by itself what nobody saved yet. It need not be there."""
    return platformdirs.user_state_path(_NAME) / "unsaved"


def versions_folder() -> Path:
    """Where the window keeps what it has written over: the versions before of saved inspections."""
    return platformdirs.user_state_path(_NAME) / "before"


def pasted_folder() -> Path:
    """Where the window keeps what was pasted into it, as files that can be opened again. It need not be there."""
    return platformdirs.user_state_path(_NAME) / "pasted"


def log_file() -> Path:
    """The log of the window and the command line."""
    return platformdirs.user_log_path(_NAME) / "prompt-inspector.log"


def start_log() -> None:
    """Write warnings and errors of the program to its log file. Where there can be none, that is said once."""
    logger = logging.getLogger("inspector")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(Log(log_file()))
