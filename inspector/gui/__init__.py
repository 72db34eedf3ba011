"""The Qt face: the only package that imports PySide6 or pyqtgraph.

What needs no Qt is imported here, before it: once PySide6 is there, it reads the source of every module that is
imported, to see whether that one uses it. Nothing is collected meanwhile, because all that is imported stays.
"""

import gc

_collected = gc.isenabled()
gc.disable()

import inspector.assembly.answer  # noqa: E402
import inspector.assembly.lacking  # noqa: E402
import inspector.plugins  # noqa: E402
import inspector.settings  # noqa: E402, F401 - what the session and the screens are made with

gc.freeze()
if _collected:
    gc.enable()
