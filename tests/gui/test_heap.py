"""The heap that all threads of the window share, where the C library has such a setting."""

import ctypes
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

_IN_THREADS = """
import ctypes, sys, threading
from inspector.gui.app import make_application

application = make_application()
together = threading.Barrier(4)
library = ctypes.CDLL(None)
library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]

def allocate():
    held = [library.malloc(5_000) for _ in range(1_000)]
    together.wait()
    for one in held:
        library.free(one)

threads = [threading.Thread(target=allocate) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(library.fopen(sys.argv[1].encode(), b"w"))
library.malloc_info(0, file)
library.fclose(file)
"""


def heaps(tmp_path: Path, **environment: str) -> int:
    """How many heaps a process has in which four threads of a window allocate at the same time."""
    told = tmp_path / "heaps.xml"
    kept = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    subprocess.run([sys.executable, "-c", _IN_THREADS, str(told)], env={**kept, **environment}, check=True, timeout=240)
    return told.read_text().count("<heap nr=")


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or not hasattr(ctypes.CDLL(None), "malloc_info"), reason="another C library"
)
def test_threads_of_the_window_share_a_heap_unless_the_environment_says_otherwise(tmp_path: Path) -> None:
    assert heaps(tmp_path) == 1
    assert heaps(tmp_path, MALLOC_ARENA_MAX="4") > 1
