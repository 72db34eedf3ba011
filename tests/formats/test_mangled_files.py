"""Files of every format that are wrong somewhere: what is good opens, is used and saved, or there is a problem.

The first few of the inputs of `make fuzz`, which goes on with as many as there is time for, also of real files.
"""

from functools import partial
from pathlib import Path

import pytest

from tests.examples import rounds
from tests.fuzz.made import made_files
from tests.fuzz.target import Target
from tests.fuzz.targets.opening import open_file

_MUTATIONS = rounds(5, 1)


@pytest.mark.parametrize("kind", sorted(made_files()))
def test_a_mangled_file_opens_or_is_refused(kind: str, tmp_path: Path) -> None:
    files = partial(made_files().__getitem__, kind)
    target = Target(kind, files, partial(open_file, files))
    for number in range(len(files()) + _MUTATIONS):
        mangled, scratch = target.input(1, number), tmp_path / f"{number}"
        scratch.mkdir()
        file = tmp_path / f"{number} {mangled.name.replace('/', ' ')}"
        file.write_bytes(mangled.data)
        target.run(file, scratch)  # raises where a promise is broken
        assert file.read_bytes() == mangled.data
