"""A chat template as a value: the Jinja2 program that writes a chat for a model."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A Jinja2 program writing messages and tools as a single text.

    `specials` are the strings that become single tokens of the model when the template writes them; `bos` and `eos` are
    passed to it as `bos_token` and `eos_token`. `name` is its origin: `qwen3` for a shipped template, else a file.
    `shipped` is False for templates of unknown authors.
    """

    name: str
    source: str
    specials: tuple[str, ...] = ()
    bos: str = ""
    eos: str = ""
    shipped: bool = field(default=False, kw_only=True)
