"""The Qt interface: the only package that imports PySide6 or pyqtgraph.

Modules that need no Qt are imported here first: once loaded, PySide6 reads the source of every imported module, to see
whether it uses Qt. Garbage collection is off meanwhile, because imported modules stay.
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
