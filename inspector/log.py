"""The log: a file created with the first record; nothing depends on it."""

import errno
import logging
import os
import stat
import sys
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from inspector.visible_text import made_visible, on_one_line

_MOST_BYTES = 1_000_000
_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Log(RotatingFileHandler):
    """Records in a file, the older half in a second file.

    If the file cannot be written (a full disk, a read-only home), a line on standard error says so, once, and the
    program continues.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=_MOST_BYTES, backupCount=1, encoding="utf-8", delay=True)
        self.setFormatter(_Visible(_FORM))
        self._is_said = False

    def _open(self) -> TextIOWrapper:
        """Return the file. Anything else of its name is left alone: a pipe would wait for its reader."""
        path = Path(self.baseFilename)
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
        file = os.fdopen(os.open(path, flags, 0o666), "a", encoding="utf-8")
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise OSError(errno.EINVAL, "Is no file", str(path))
        return file

    def handleError(self, record: logging.LogRecord) -> None:
        """Report once why a record is lost. The next record is tried again: there may be room by then."""
        with suppress(OSError):
            if self.stream:
                self.stream.close()
        self.stream = None
        error = sys.exc_info()[1]
        if not self._is_said and sys.stderr is not None:
            self._is_said = True
            reason = getattr(error, "strerror", None) or error
            with suppress(OSError):
                sys.stderr.write(on_one_line(f"prompt-inspector: {self.baseFilename}: no log is kept: {reason}") + "\n")


class _Visible(logging.Formatter):
    """Formats records, over several lines if necessary, as text safe for terminals."""

    def format(self, record: logging.LogRecord) -> str:
        return made_visible(super().format(record))
