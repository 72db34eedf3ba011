"""Whatever reads a file that a person or another file names: a special file ends in the reader's own error, at once."""

import ast
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.assembly.scenario_file import is_native, read_scenario, scenario_among
from inspector.assembly.scenario_values import no_kind
from inspector.reading.decode import read_value
from inspector.reading.source import UnreadableError
from inspector.retrieval.summaries.settings import read_endpoint
from inspector.retrieval.vectors.choice import load_embedder
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError
from inspector.tokens.converted.sentencepiece import read_sentencepiece
from inspector.tokens.gguf.tokenizer import gguf_tokenizer
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.models.listing import ListingError, read_listing
from inspector.tokens.models.loading import load_models
from inspector.tokens.tokenizer import TokenizerUnavailableError

_PACKAGE = Path(__file__).resolve().parent.parent / "inspector"
_READS = ("open", "read_bytes", "read_text")
# Modules that open a file otherwise: one that is the program's own or a library's, or one that is written.
_NOT_A_PERSONS = {
    "assembly/presets.py", "cli/sweep.py", "cli/tokenizers.py", "gui/icons.py", "gui/files/inspection.py",
    "reading/files.py", "reading/sqlite.py", "retrieval/vectors/choice.py", "tokens/chat/format.py",
    "tokens/models/loading.py", "archives.py", "tokens/openai.py", "tokens/packaged.py",
    "tokens/reconstructed/pieces.py", "log.py", "writing.py",
    "gui/files/versions.py", "gui/saving/autosaving.py", "gui/main_window.py",
    "retrieval/lexical.py", "analysis/archive/parts.py", "cli/archive.py", "cli/output.py",
    "cli/streams.py", "desktop.py", "extras.py",
}  # fmt: skip
_ERRORS = (UnreadableError, ListingError, TokenizerUnavailableError, EmbedderUnavailableError)


@pytest.fixture(params=["pipe", "device", "link to a device", "loop", "long name", "NUL", "folder"])
def special(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A path that stands for no file that could be read."""
    path = tmp_path / "special"
    match request.param:
        case "pipe":
            os.mkfifo(path)
        case "device":
            return Path("/dev/zero")
        case "link to a device":
            path.symlink_to("/dev/zero")
        case "loop":
            path.symlink_to(path)
        case "folder":
            path.mkdir()
        case "NUL":
            return tmp_path / "a\0b"
        case _:
            return tmp_path / ("x" * 300)
    return path


needs_special_files = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")


@needs_special_files
@pytest.mark.parametrize(
    "read",
    [
        read_value,
        lambda path: read_scenario(path, no_kind),
        read_listing,
        read_sentencepiece,
        lambda path: gguf_tokenizer(str(path)),
        lambda path: huggingface_tokenizer(str(path)),
        lambda path: load_embedder(f"hf:{path}"),
    ],
    ids=["value", "scenario", "listing", "SentencePiece", "GGUF", "Hugging Face", "embedder"],
)
def test_special_files_end_in_the_reader_s_own_error(special: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(_ERRORS):
        read(special)


@needs_special_files
def test_special_files_in_place_of_files_of_ours(special: Path) -> None:
    assert not is_native(special, "prompt-inspector/scenario@1")
    assert scenario_among([special]) is None
    shipped = load_models().rows
    assert load_models(special).rows == shipped
    if os.path.exists(special):
        assert load_models(special).problems
        with pytest.raises(UnreadableError):
            read_endpoint(special)


@needs_special_files
@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "vocab.txt"])
def test_special_files_in_the_folder_of_a_model(special: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / name).symlink_to("x" * 200 if "\0" in str(special) else special)
    with pytest.raises(TokenizerUnavailableError):
        huggingface_tokenizer(str(folder))


def test_no_other_module_opens_files() -> None:
    opening = {
        path.relative_to(_PACKAGE).as_posix()
        for path in _PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and _is_reading(node.func)
    }
    assert opening <= _NOT_A_PERSONS


def _is_reading(called: ast.expr) -> bool:
    """Whether a call is of the function `open`, or of a method of a path that reads (others are called open, too)."""
    if isinstance(called, ast.Name):
        return called.id == "open"
    if not isinstance(called, ast.Attribute) or called.attr not in _READS:
        return False
    opened = ast.unparse(called.value)
    return called.attr != "open" or (opened != "tarfile" and any(word in opened for word in ("path", "file", "os")))
