"""The last step: a model server drops, cuts or refuses the prompt of an application.

It follows the policy of the same name, applied to the messages of the prompt instead of the candidates. The tokens are
the planned ones, with what the chat template of the model adds to each message, so that the prompt has the size that it
has everywhere else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector.assembly.columns import I64, ROLE_NUMBER, Action, Bool, Rows, frozen
from inspector.assembly.compaction import Compactions
from inspector.assembly.decisions import Assembly, Block, Composed, Each, Finding, Joined, Run
from inspector.assembly.policies.programs_chat.ollama import Ollama
from inspector.assembly.policies.programs_chat.token_stream import Span, text_within
from inspector.assembly.policy_finding_kinds import SERVER_DROPS, SERVER_REFUSES
from inspector.assembly.reasons import Reason
from inspector.assembly.rendered_prompt import speaker_of
from inspector.assembly.servers import NO_SERVER, TITLES
from inspector.assembly.token_ledger import planned_total
from inspector.figures import counted
from inspector.model import Tool
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.chat.frames import frames_of


@dataclass(frozen=True, eq=False)
class _Sent:
    """The messages of the prompt as columns: charges in tokens, masks of two roles, numbers of pictures.

    `rows` has their candidates in order, and `owner` the number of the message of each candidate. `head` are the tokens
    before all messages, such as those of tools, and `reply` those of its beginning.
    """

    charges: I64
    is_system: Bool
    is_user: Bool
    images: I64
    rows: Rows
    owner: Rows
    head: int
    reply: int

    @property
    def size(self) -> int:
        """The tokens of the prompt, with the beginning of the reply."""
        return int(self.charges.sum()) + self.beside

    @property
    def beside(self) -> int:
        """The tokens that belong to no message."""
        return self.head + self.reply


def behind_server(
    assembly: Assembly, server: str, context: int, chat_format: ChatFormat, tools: Sequence[Tool]
) -> Assembly:
    """Return the assembly as the server leaves it, with a context of so many tokens.

    `chat_format` is that of the model, `tools` are sent with the prompt. Dropped and cut items have the reason
    `server`. A refused prompt is unchanged, with a finding.
    """
    if assembly.error is not None or server == NO_SERVER:
        return assembly
    sent = _sent(assembly, chat_format, tools)
    if server in ("llamacpp", "vllm"):
        return _refused(assembly, sent, server, context)
    if server == "ollama":
        gone, spans = _after_ollama(sent, context)
    else:
        gone, spans = _after_lm_studio(sent, context)
    left = _left(assembly, sent, gone, spans)
    return assembly if left is None else _without(assembly, sent, left, gone, server, context)


def _sent(assembly: Assembly, chat_format: ChatFormat, tools: Sequence[Tool]) -> _Sent:
    """Return the messages of the prompt as columns."""
    added = frames_of(chat_format, assembly.candidates.counts.tokenizer)
    charges, roles, rows, owner, messages = list[I64](), list[I64](), list[Rows](), list[Rows](), 0
    for block in assembly.blocks:
        if isinstance(block, Run):
            frames = assembly.candidates.frame_tokens[block.rows]
            charges.append(assembly.spent[block.rows].astype(np.int64) + frames)
            roles.append(assembly.candidates.role[block.rows].astype(np.int64))
            owner.append(np.arange(messages, messages + len(block.rows)))
            messages += len(block.rows)
        else:
            spent = int(assembly.spent[block.rows].sum(dtype=np.int64))
            frame = added.frame(block.role, speaker_of(assembly, block))
            charges.append(np.array([spent + frame + _literal_tokens(assembly, block)], np.int64))
            roles.append(np.array([ROLE_NUMBER[block.role]], np.int64))
            owner.append(np.full(len(block.rows), messages))
            messages += 1
        rows.append(block.rows)
    if not charges:
        nothing, none = np.empty(0, np.int64), np.empty(0, np.bool_)
        return _Sent(nothing, none, none, nothing, np.empty(0, np.intp), np.empty(0, np.intp), 0, 0)
    role, all_rows, owners = np.concatenate(roles), np.concatenate(rows), np.concatenate(owner).astype(np.intp)
    images = np.bincount(owners, assembly.candidates.images[all_rows], messages).astype(np.int64)
    is_system, is_user = role == ROLE_NUMBER["system"], role == ROLE_NUMBER["user"]
    charged, reply = np.concatenate(charges), added.reply()
    head = max(0, planned_total(assembly, chat_format, tools) - int(charged.sum()) - reply)
    return _Sent(charged, is_system, is_user, images, all_rows, owners, head, reply)


def _literal_tokens(assembly: Assembly, block: Joined | Composed) -> int:
    """Return the tokens of a message's texts outside its items."""
    candidates = assembly.candidates
    if isinstance(block, Joined):
        return candidates.counts.count(block.heading) + len(block.rows) * candidates.counts.count(block.mark)
    if block.summary:
        return int(assembly.compactions.sizes[block.summary - 1])
    found = 0
    for part in block.parts:
        if isinstance(part, str):
            found += candidates.counts.count(part)
        elif isinstance(part, Each):
            openings = candidates.form_tokens(part.rows, ("opening at a server", part.form), part.opening)
            found += int(openings.sum(dtype=np.int64))
    return found


def _after_ollama(sent: _Sent, context: int) -> tuple[Bool, list[Span]]:
    """Return the messages dropped by Ollama, and the parts left of the others."""
    rule = Ollama(num_ctx=context, reply_overhead=sent.beside)
    start = rule.first_kept(sent.charges, sent.images * rule.image_tokens, sent.is_system, context)
    gone = ~sent.is_system & (np.arange(len(sent.charges)) < start)
    size = int(sent.charges[~gone].sum()) + sent.beside
    spans = rule.spans(size, context, has_images=bool(sent.images[~gone].any()))
    return gone, [(0, size)] if spans is None else spans


def _after_lm_studio(sent: _Sent, context: int) -> tuple[Bool, list[Span]]:
    """Return the messages dropped from the middle by LM Studio, and the rest as one part.

    An approximation, since its code is closed.
    """
    first_user = np.flatnonzero(sent.is_user)[:1]
    middle = ~sent.is_system
    middle[first_user] = False
    middle[-1:] = False
    places = np.flatnonzero(middle)
    freed = np.cumsum(sent.charges[places])
    over = sent.size - context
    number = 0 if over <= 0 else min(len(places), int(np.searchsorted(freed, over)) + 1)
    gone = np.zeros(len(sent.charges), np.bool_)
    gone[places[:number]] = True
    return gone, [(0, int(sent.charges[~gone].sum()) + sent.beside)]


def _left(assembly: Assembly, sent: _Sent, gone: Bool, spans: list[Span]) -> Mapping[int, tuple[Span, ...]] | None:
    """Return the parts left of each row with lost tokens; None if neither items nor messages lose any."""
    costs = assembly.spent[sent.rows].astype(np.int64)
    ends = _ends(sent, costs, gone)
    begins, lost = ends - costs, dict[int, tuple[Span, ...]]()
    held = sum((np.maximum(np.minimum(ends, stop) - np.maximum(begins, first), 0) for first, stop in spans), 0 * costs)
    for place in np.flatnonzero(gone[sent.owner] | (held < costs)).tolist():
        begin, end = int(begins[place]), int(ends[place])
        inside = ((max(first, begin) - begin, min(stop, end) - begin) for first, stop in spans)
        parts = tuple((first, stop) for first, stop in inside if first < stop)
        lost[int(sent.rows[place])] = () if gone[sent.owner[place]] else parts
    return lost if lost or gone.any() else None


def _ends(sent: _Sent, costs: I64, gone: Bool) -> I64:
    """Return the end of each row in the stream of tokens of the messages that are left.

    The formatting of a message and its texts outside items come before its items.
    """
    stays = np.where(gone, 0, sent.charges)
    before = sent.head + np.cumsum(stays) - stays
    own = np.bincount(sent.owner, costs, len(sent.charges)).astype(np.int64)
    first = before + np.where(gone, 0, sent.charges - own)
    sums = np.cumsum(costs)
    starts = np.flatnonzero(np.diff(sent.owner, prepend=-1))
    within = sums - np.repeat(sums[starts] - costs[starts], np.diff(np.append(starts, len(costs))))
    return first[sent.owner] + within


def _without(
    assembly: Assembly,
    sent: _Sent,
    left: Mapping[int, tuple[Span, ...]],
    gone: Bool,
    server: str,
    context: int,
) -> Assembly:
    """Return the assembly without the dropped items, and with the rest of the cut ones."""
    title, lost = TITLES[server], np.array(sorted(left), np.intp)
    cut = np.array([row for row in lost.tolist() if left[row] and assembly.text(row)], np.intp)
    dropped = lost[~np.isin(lost, cut)]
    reasons = (*assembly.reasons, dropped_by(title, context), cut_by(title, context))
    action, reason, spent = assembly.action.copy(), assembly.reason.copy(), assembly.spent.copy()
    costs, form, guaranteed = assembly.costs.copy(), assembly.form.copy(), assembly.guaranteed.copy()
    action[dropped], reason[dropped], spent[dropped] = Action.DROPPED, len(reasons) - 2, 0
    action[cut], reason[cut], form[cut] = Action.TRUNCATED, len(reasons) - 1, len(assembly.texts)
    spent[cut] = [sum(stop - first for first, stop in left[row]) for row in cut.tolist()]
    costs[cut], guaranteed[lost] = spent[cut], False
    return replace(
        assembly,
        reasons=reasons,
        action=frozen(action),
        reason=frozen(reason),
        spent=frozen(spent),
        costs=frozen(costs),
        form=frozen(form),
        guaranteed=frozen(guaranteed),
        texts=(*assembly.texts, _cut_text(assembly, left)),
        layout=lambda after: tuple(_blocks_left(assembly, after, gone)),
        compactions=_compactions_left(assembly, gone, reasons[-2]),
        findings=(*assembly.findings, Finding(SERVER_DROPS, _words(server, context, sent, gone, len(cut)), lost)),
    )


def _compactions_left(assembly: Assembly, gone: Bool, reason: Reason) -> Compactions:
    """Return the summaries of the program; those in dropped messages are lost for this reason."""
    lost = {
        block.summary
        for message, block in _numbered(assembly.blocks)
        if isinstance(block, Composed) and block.summary and gone[message]
    }
    return assembly.compactions.without(lost, reason) if lost else assembly.compactions


def _cut_text(assembly: Assembly, left: Mapping[int, tuple[Span, ...]]) -> Callable[[int], str]:
    """Return a function from a cut row to the text left of it."""
    candidates = assembly.candidates
    return lambda row: text_within(candidates, assembly.text(row), left[row], int(assembly.spent[row]))


def _blocks_left(before: Assembly, after: Assembly, gone: Bool) -> Iterator[Block]:
    """Yield the messages of the prompt with the items left in them, without messages that have none left."""
    there = after.in_prompt
    for message, block in _numbered(before.blocks):
        if isinstance(block, Run | Joined):
            if len(rows := block.rows[there[block.rows]]):
                yield replace(block, rows=rows)
        elif not len(block.rows):
            if not gone[message]:
                yield block
        elif there[block.rows].any():
            yield replace(block, parts=tuple(_parts_left(block, there)))


def _numbered(blocks: Iterable[Block]) -> Iterator[tuple[int, Block]]:
    """Yield each block with the number of its first message."""
    number = 0
    for block in blocks:
        yield number, block
        number += len(block.rows) if isinstance(block, Run) else 1


def _parts_left(block: Composed, there: Bool) -> Iterator[str | int | Each]:
    for part in block.parts:
        if isinstance(part, Each):
            yield replace(part, rows=part.rows[there[part.rows]])
        elif isinstance(part, str) or there[part]:
            yield part


def _words(server: str, context: int, sent: _Sent, gone: Bool, cut: int) -> str:
    """Return the sentence about dropped messages and cut items."""
    lost = [f"drops {counted(int(gone.sum()), 'message')}"] if gone.any() else []
    if cut or not gone.any():
        lost.append(f"cuts tokens out of {counted(cut, 'item')}" if cut else "cuts items away")
    about = "By what its documentation says, which is an approximation, it" if server == "lm_studio" else "It"
    sizes = f"{TITLES[server]} runs this model with {context:,} tokens, and the prompt has about {sent.size:,}. "
    return f"{sizes}{about} {' and '.join(lost)}, without a word to the application."


def _refused(assembly: Assembly, sent: _Sent, server: str, context: int) -> Assembly:
    """Return the assembly, with a finding if the server refuses a prompt of this size."""
    if sent.size < context or (server == "vllm" and sent.size == context):
        return assembly
    message = f"{TITLES[server]} runs this model with {context:,} tokens and refuses the prompt of about {sent.size:,}."
    return replace(assembly, findings=(*assembly.findings, Finding(SERVER_REFUSES, message)))


def dropped_by(title: str, context: int) -> Reason:
    """Return the reason for items dropped by a server."""
    sentence = f"{title} has {context:,} tokens of context and drops {{thing}} ({{tokens}} tokens) from the prompt."
    return Reason("server", "dropped by the server", sentence)


def cut_by(title: str, context: int) -> Reason:
    """Return the reason for items cut by a server."""
    sentence = f"{title} has {context:,} tokens of context: of {{thing}} {{spent}} of {{tokens}} tokens are left."
    return Reason("server", "cut by the server", sentence)


EXAMPLES = (dropped_by("Ollama", 4096), cut_by("Ollama", 4096))
"""Examples of the reasons of this step."""
