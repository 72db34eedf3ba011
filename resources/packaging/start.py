"""The program as one folder begins here: also where it starts itself as a process that works for it."""

import runpy
import sys
from multiprocessing import freeze_support

from inspector.cli import main
from inspector.tokens.chat.process import CHILD

if __name__ == "__main__":
    freeze_support()
    if sys.argv[1:2] == [CHILD]:
        del sys.argv[1]
        runpy.run_module(CHILD, run_name="__main__")
    else:
        main()
