"""The heap of the C library, set up to keep memory small and stable while a window is open all day."""

import ctypes
import os
import sys

_ARENAS = "MALLOC_ARENA_MAX"
_M_ARENA_MAX = -8  # malloc.h of glibc


def share_heap() -> None:
    """Let all threads share one heap, before any are started. A `MALLOC_ARENA_MAX` set by the user takes precedence.

    The C library of Linux gives each thread its own heap, and free memory in one cannot be used by another: driven at
    random, a window grew by 5 MB a minute for as long as was measured, and does not with a shared heap. Counting is no
    slower. Other systems, and other C libraries, have no such setting.
    """
    if sys.platform == "linux" and _ARENAS not in os.environ:
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_M_ARENA_MAX, 1)
