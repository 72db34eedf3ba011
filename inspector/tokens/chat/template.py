"""A chat template as data: the Jinja2 program that writes a chat for a model."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A Jinja2 program that writes messages and tools as one text.

    `specials` are the strings that are single tokens of the model where the template writes them; `bos` and `eos` are
    what it gets as `bos_token` and `eos_token`. `name` says where it is from: `qwen3` for one of ours, else a file.
    `shipped` says that it is one of ours; every other one is a program of strangers.
    """

    name: str
    source: str
    specials: tuple[str, ...] = ()
    bos: str = ""
    eos: str = ""
    shipped: bool = field(default=False, kw_only=True)
