"""The reference: every policy, preset, reason, finding, format and tokenizer, as declared.

The entries are given by the command line and the window, which know the plug-ins. Both show the same values.
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from inspector.analysis.tokenizers.ask import RULES
from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.finding_kinds import FINDING_KINDS
from inspector.assembly.policy import Parameter, parameters_of, policy_title, traits_of
from inspector.assembly.preset import Preset
from inspector.assembly.reasons import Reason
from inspector.tokens.choice import pattern_of
from inspector.tokens.embedded import EMBEDDED_NAMES
from inspector.tokens.openai import encoding_names
from inspector.tokens.reconstructed.tokenizer import RECONSTRUCTED_NAMES, reconstructed_words
from inspector.tokens.standin.tokenizer import STANDIN_NAMES, standin_tokenizer

Value = dict[str, Any]
Presets = Mapping[tuple[str, str], Preset]
OriginOf = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Article:
    """An entry of the reference: its kind, its name, a line about it, paragraphs, and facts as (name, value) pairs."""

    kind: str
    name: str
    summary: str
    paragraphs: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


def policy_value(name: str, kind: type, presets: Presets) -> Value:
    """Return a policy with its title, description, group, names of presets, and parameters with range and default."""
    own = [title for policy, title in presets if policy == name]
    parameters = [parameter.declaration for parameter in parameters_of(kind)]
    return {
        "name": name,
        "title": policy_title(name, kind),
        "description": inspect.getdoc(kind) or "",
        "group": traits_of(kind()).maker,
        "presets": own,
        "parameters": parameters,
    }


def preset_values(presets: Presets) -> Iterator[Value]:
    """Return every preset, with its policy."""
    return ({"policy": policy, "preset": name, **asdict(preset)} for (policy, name), preset in presets.items())


def format_values(formats: Iterable[Any], origin: OriginOf) -> Iterator[Value]:
    """Yield every supported format with its package."""
    return ({"name": each.name, "title": each.title, "origin": origin(each.name)} for each in formats)


def tokenizer_values(plug_ins: Mapping[str, Any], origin: OriginOf, built_in: str) -> Iterator[Value]:
    """Yield the tokenizers: how to ask for each, a title, and its package; `built_in` is the package of ours."""
    titles = {f"embedded:{name}": "vocabulary inside the program" for name in EMBEDDED_NAMES}
    titles |= {f"reconstructed:{name}": reconstructed_words(name) for name in RECONSTRUCTED_NAMES}
    titles |= {f"standin:{name}": standin_tokenizer(name).spread.words for name in STANDIN_NAMES}
    titles |= {name: f"estimate: {rule}" for name, rule in RULES.items()}
    titles |= {f"tiktoken:{name}": "encoding of OpenAI's tiktoken" for name in encoding_names()}
    titles[pattern_of("hf")] = "model of the Hugging Face hub that is in its cache, or a folder"
    titles[pattern_of("gguf")] = "tokenizer in the header of a GGUF file"
    for name, title in titles.items():
        yield {"name": name, "title": title, "origin": built_in}
    for kind, make in plug_ins.items():
        title = (inspect.getdoc(make) or "").partition("\n")[0]
        yield {"name": pattern_of(kind), "title": title, "origin": origin(kind)}


def policy_articles(policies: Mapping[str, type], presets: Presets) -> Iterator[Article]:
    """Yield each policy, followed by its parameters."""
    for name, kind in policies.items():
        value = policy_value(name, kind, presets)
        first, _, rest = value["description"].partition("\n")
        facts = [("name", name), ("group", value["group"]), ("presets", ", ".join(value["presets"]) or "none")]
        declared = parameters_of(kind)
        facts += [(parameter.name, parameter.help or parameter.label) for parameter in declared]
        yield Article("Policy", value["title"], first, _paragraphs(rest), tuple(facts))
        yield from (_parameter_article(name, value["title"], parameter) for parameter in declared)


def preset_articles(presets: Presets) -> Iterator[Article]:
    """Yield each preset with its values."""
    for (policy, name), preset in presets.items():
        facts = [("policy", policy), ("name", name)]
        facts += [(parameter, str(value)) for parameter, value in preset.parameters.items()]
        yield Article("Preset", f"{policy}, {preset.title or name}", preset.description, (), tuple(facts))


def reason_articles(policies: Mapping[str, type], presets: Presets) -> Iterator[Article]:
    """Yield each code of a reason, with its sentences."""
    sentences: dict[str, list[tuple[str, str]]] = {}
    for reason in declared_reasons(policies, presets):
        fact = (reason.label, _in_general(reason.sentence))
        known = sentences.setdefault(reason.code, [])
        if fact not in known:
            known.append(fact)
    for code, facts in sentences.items():
        yield Article("Reason", code, ", ".join(dict.fromkeys(label for label, _ in facts)), (), tuple(facts))


def finding_articles(kinds: Iterable[FindingKind] = FINDING_KINDS) -> Iterator[Article]:
    """Yield each kind of finding with its meaning and advice."""
    for kind in kinds:
        yield Article(
            "Finding",
            kind.code,
            kind.meaning,
            (kind.general_advice,),
            (("title", kind.short), ("severity", kind.severity)),
        )


def listed_articles(kind: str, values: Iterable[Value]) -> Iterator[Article]:
    """Yield articles of values with name, title and origin, such as those of formats and tokenizers."""
    for value in values:
        yield Article(kind, value["name"], value["title"], (), (("from", value["origin"]),))


def declared_reasons(policies: Mapping[str, type], presets: Presets) -> Iterator[Reason]:
    """Return the reasons in the modules of the policies, of the variants of their presets, and beside them."""
    kinds = [*policies.values()]
    kinds += [preset.kind(policies[name]) for (name, _), preset in presets.items() if name in policies]
    homes = {f"{__name__.partition('.')[0]}.assembly"} | {kind.__module__.partition(".")[0] for kind in kinds}
    homes -= {__name__.partition(".")[0]}
    for name, module in sorted(sys.modules.items()):
        if any(name == home or name.startswith(f"{home}.") for home in homes):
            yield from _reasons_in(list(vars(module).values()))


def _reasons_in(values: Iterable[object]) -> Iterator[Reason]:
    for value in values:
        if isinstance(value, Reason):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, Reason))


def _in_general(sentence: str) -> str:
    """Return a sentence without the figures of a case: … stands for each, “the item” for the item."""
    words = {"thing": "the item", "section": "section’s", "limit": "", "order": "", "who": "the file, or by you"}
    fields = ("tokens", "cost", "spent", "left", "missing", "score", "activation")
    shown = sentence.format_map(words | dict.fromkeys(fields, "…")) if "{" in sentence else sentence
    return shown[:1].upper() + shown[1:]


def _parameter_article(policy: str, title: str, parameter: Parameter) -> Article:
    facts = [("policy", policy), ("name", parameter.name), ("default", str(parameter.default))]
    if parameter.maximum > parameter.minimum:
        facts.append(("range of the slider", f"{parameter.minimum:g} to {parameter.maximum:g}"))
    if parameter.unit:
        facts.append(("unit", parameter.unit))
    if parameter.at_minimum:
        facts.append((f"at {parameter.minimum:g}", parameter.at_minimum))
    facts += parameter.choices.items()
    return Article(
        "Parameter", f"{title}: {parameter.label}", parameter.name, _paragraphs(parameter.help), tuple(facts)
    )


def _paragraphs(text: str) -> tuple[str, ...]:
    """Return a text as paragraphs, each on a single line."""
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())
