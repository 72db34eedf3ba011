"""Kinds of findings, declared once: their meaning, and advice for the user.

The sentence with the figures of a case is a finding's own message. Rules that look for findings do not belong here.
Third-party policies declare their own kinds beside their rules.
"""

from dataclasses import dataclass

from inspector.assembly.advice import advice_text
from inspector.model import Severity


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A stable code for scripts, the usual severity, the meaning, advice, and a title of a few words for lists.

    `meaning` and `advice` are whole sentences without figures of a case. They contain options of the command line with
    their dashes, and parameters of policies in braces, which `advice_text` fills. Without a title, lists show the
    meaning.
    """

    code: str
    severity: Severity
    meaning: str
    advice: str
    title: str = ""

    @property
    def short(self) -> str:
        """The title, or else the meaning as one."""
        return self.title or self.meaning.removesuffix(".")

    @property
    def general_advice(self) -> str:
        """The advice for any policy."""
        return advice_text(self.advice, None)


# The scenario and the model it names.

UNKNOWN_ITEM = FindingKind(
    "unknown_item",
    "warning",
    "Items that are pinned, left out or changed are not in the open files.",
    "Correct the ids (--pin, --exclude, --override), or open the file with these items. Prompt, Clear pins and items "
    "left out removes the marks.",
    "Unknown items",
)
ON_OTHER_BRANCHES = FindingKind(
    "on_other_branches",
    "info",
    "Messages that are pinned, left out or changed are only on other branches of the conversation.",
    "Nothing to do: they count again as soon as their branch is shown (--leaf). Prompt, Clear pins and items left out "
    "removes the marks.",
    "Items on other branches only",
)
FIRST_OF_MANY = FindingKind(
    "first_of_many",
    "info",
    "Several conversations are open and none was chosen, so the first is shown.",
    "Choose another one in Sources (--conversation).",
    "First of several chats shown",
)
BELONGS_TO_NONE = FindingKind(
    "belongs_to_none",
    "info",
    "Memories, lore or tools of a folder or an archive belong to no conversation, so none uses them.",
    "Tick memory sets in Sources (--memories). Anything else goes with every conversation once its file itself is "
    "opened or named beside the folder.",
    "Files that belong to no chat",
)
MODEL_UNKNOWN = FindingKind(
    "model_unknown",
    "warning",
    "The model is not in the model table, so its window and its tokenizer are guesses.",
    "Choose a model of the table, set window and tokenizer yourself (--window, --tokenizer), or add the model to "
    "models.yaml.",
    "Unknown model",
)
RULES_APPROXIMATED = FindingKind(
    "rules_approximated",
    "info",
    "The program that wrote the file does not publish its rules, so this policy only approximates them.",
    "Compare with the decisions that the program recorded, or choose another policy.",
    "Rules of the program approximated",
)
MODEL_BY_PREFIX = FindingKind(
    "model_by_prefix",
    "info",
    "The model table has this model without a date, a tag, a quantisation or the marks of a fine-tune in its name.",
    "If the two differ, set window and tokenizer yourself (--window, --tokenizer), or add the model to models.yaml.",
    "A similar model stands in",
)
SETTINGS_FROM_FILE = FindingKind(
    "settings_from_file",
    "info",
    "The opened file names a model or a window, and the prompt is made for it.",
    "Choose a model or a window yourself (--model, --window) to use another.",
    "Settings from the file",
)

# The user's marks.

MUST_SURVIVE_DROPPED = FindingKind(
    "must_survive_dropped",
    "warning",
    "An item that must stay is dropped.",
    "Look at the reason (explain), and give its section more, pin it (--pin), or remove the mark (M).",
    "Must stay, and dropped",
)

# The texts.

SECRET_MASKED = FindingKind(
    "secret_masked",
    "warning",
    "An item holds a key, a token or another secret. It is counted as it is, and masked wherever it is shown or "
    "exported.",
    "Withdraw the secret where it was issued and remove it from the file, or leave the item out. View, Show or mask "
    "secrets shows it.",
    "Secrets masked",
)

# The counts, and the prompt as sent to the model.

ESTIMATED_COUNTS = FindingKind(
    "estimated_counts",
    "info",
    "Some figures follow a rule, are estimates, come from the file or are not known: they are no counts by the model's "
    "own tokenizer.",
    "Let the counting finish, or name the model's own files (--tokenizer hf:FOLDER or gguf:FILE). Rules for tools and "
    "pictures, and counts from the file, stay as they are.",
    "Estimated counts",
)
TEMPLATE_REFUSED = FindingKind(
    "template_refused",
    "warning",
    "The model's chat template does not accept these messages in this order, so another one counts them.",
    "Many templates want user and assistant in turn, the user first. Leave out the message that breaks this order, or "
    "choose a model that accepts it. {start_on} sets the first role.",
    "Chat template refuses the messages",
)
TOOLS_LEFT_OUT = FindingKind(
    "tools_left_out",
    "info",
    "The model's chat template has no place for tool definitions, so none are in the prompt.",
    "Choose a model with a chat template for tools, or describe the tools in the system prompt.",
    "Tool definitions left out",
)
SPECIAL_TOKEN_TEXT = FindingKind(
    "special_token_text",
    "warning",
    "A text spells a special token of the model, such as the end of a turn; it counts as plain text.",
    "Find out who wrote it: on a server that obeys such tokens it can end a turn or speak for someone else. Leave the "
    "item out, or spell the token differently in the file.",
    "Special tokens in texts",
)
OVER_WINDOW = FindingKind(
    "over_window",
    "error",
    "Prompt and reply together exceed the window.",
    "Take a larger window, or pin less. It also helps to lower {prompt, newest}. Everything (naive), Whole "
    "conversation first (reserve) and Semantic Kernel truncation never cut to the window.",
    "Over the window",
)
INPUT_LIMIT = FindingKind(
    "input_limit",
    "warning",
    "The prompt is longer than the longest one the model accepts.",
    "Set the window (--window) or the limit of the policy to that length, or choose another model.",
    "Over the longest accepted prompt",
)
BUDGET_UNUSED = FindingKind(
    "budget_unused",
    "info",
    "More than a quarter of the window stays empty.",
    "Fine if nothing you need is left out. Otherwise raise {history, memory, prompt}. With {borrow=both} one section "
    "uses the rest of another.",
    "Much of the window unused",
)
WINDOW_SMALLER_THAN_BUDGET = FindingKind(
    "window_smaller_than_budget",
    "info",
    "The limits of the policy are higher than the window.",
    "Take a larger window. It also helps to lower {prompt, history, reply} until all of it fits.",
    "Limits above the window",
)

# Items in the prompt, and items left out.

COMPACTED = FindingKind(
    "compacted",
    "info",
    "Messages are told by a summary that the program's model writes; only its size is known here.",
    "The items list the messages that it tells (reason compacted). A larger window changes when it happens.",
    "Messages told by a summary",
)
NOT_PLACED = FindingKind(
    "not_placed",
    "info",
    "The policy has no place for items of some kinds, so they are left out.",
    "Choose a policy with a place for them: Window with retrieval (passages), Fixed slots (documents, attachments), "
    "Adaptive (summaries of other conversations), Ratio (memories, lore), or Everything.",
    "No place in this policy",
)
EMPTY_HISTORY = FindingKind(
    "empty_history",
    "warning",
    "The model will not see a single message of the conversation.",
    "Look at the replayed turn and at items left out. Otherwise raise {history, prompt, newest}.",
    "No message in the prompt",
)
HISTORY_GAP = FindingKind(
    "history_gap",
    "warning",
    "Messages between kept ones are missing, so the model may lose the thread.",
    "Unpin the older message. It also helps to raise {history, prompt}. With {adaptive:misfit=stop, trim=oldest} the "
    "conversation is cut in one piece.",
    "Messages missing between kept ones",
)
GUARANTEE_OVER_BUDGET = FindingKind(
    "guarantee_over_budget",
    "warning",
    "Pinned items and the newest, always kept, exceed the limit of their section.",
    "Unpin some items. It also helps to lower {newest}. Otherwise raise {history, memory}.",
    "Always kept exceeds its limit",
)
ORPHAN_TOOL_RESULT = FindingKind(
    "orphan_tool_result",
    "error",
    "A result of a tool is in the prompt without its call, or a call without its result; most servers refuse that.",
    "Pin the call and its result, or leave out both.",
    "Tool result without its call",
)

# Memories and summaries.

EMBEDDING_UNAVAILABLE = FindingKind(
    "embedding_unavailable",
    "info",
    "Texts are compared by their words, because the model for comparing their meaning is not available.",
    "Install the named model, choose another one (--embedding), or compare words (--similarity lexical).",
    "Compared by words only",
)
NEAR_DUPLICATE_MEMORIES = FindingKind(
    "near_duplicate_memories",
    "warning",
    "Several memories say nearly the same, and each in the prompt takes the room of another memory.",
    "Leave out the repeats, or merge them in their file.",
    "Memories that say the same",
)
SCORE_DIRECTION = FindingKind(
    "score_direction",
    "warning",
    "The recorded scores rank the memories with the words of the query last, so they may be distances.",
    "Choose distance as the scale of the scores of their set (--scores), or compare the texts instead (--similarity "
    "lexical).",
    "Scores that contradict the words",
)
RECORDED_REMAINDER = FindingKind(
    "recorded_remainder",
    "info",
    "The file records how many tokens a request had, and they differ from those counted here.",
    "The recorded figure is the truth. Open what the file lacks, such as the system prompt of the application, beside "
    "the chat. Fewer recorded tokens mean that less was sent than the file holds, or that a cache was left out.",
    "Recorded tokens differ",
)
SUMMARIES_UNAVAILABLE = FindingKind(
    "summaries_unavailable",
    "warning",
    "Summaries cannot be made, so the beginning of a message stands in for its summary.",
    "Name a server under summaries in settings.yaml and start it, or take sentences of the message itself (--summaries "
    "extractive).",
    "No summaries available",
)
SUMMARIES_UNUSED = FindingKind(
    "summaries_unused",
    "info",
    "Summaries are switched on, but no message of this prompt is summarized.",
    "Turn on {selective}, and lower {recent_messages}[ and {selective_above}]. Only Ratio (ratio) summarizes messages. "
    "Messages shorter than their summaries may be (--summary-tokens) stay whole.",
    "Nothing summarized",
)
COMPUTED_SUMMARIES = FindingKind(
    "computed_summaries",
    "info",
    "The file has no summary of some messages, so computed ones stand in for them.",
    "Read them before you trust them: Summaries (prompt-inspector fidelity) lists the names, numbers and dates lost by "
    "each.",
    "Computed summaries",
)
SUMMARY_LONGER = FindingKind(
    "summary_longer",
    "info",
    "The summary of a message costs more than the message itself.",
    "Make computed summaries shorter (--summary-tokens). With {only_if_shorter} such messages stay whole.",
    "Summary longer than its message",
)

# ratio, and Chorus Engine's published code.

SYSTEM_PROMPT_TOO_LARGE = FindingKind(
    "system_prompt_too_large",
    "warning",
    "The system prompt takes a larger part of the window than it should.",
    "Shorten the system prompt, take a larger window, or raise {system_limit}.",
    "System prompt too large",
)
NEGATIVE_BUDGET = FindingKind(
    "negative_budget",
    "error",
    "System prompt and documents are larger than the window, so all other limits are below 0.",
    "Shorten the system prompt, leave out documents, or take a larger window.",
    "Nothing left for the rest",
)
UNUSED_LIMIT = FindingKind(
    "unused_limit",
    "warning",
    "Documents cost more than their share; this system computes the share and never applies it.",
    "Leave out or shorten documents. A larger {document_share} hides this, and the prompt stays the same.",
    "Limit never applied",
)
SUMMARIES_UNLIMITED = FindingKind(
    "summaries_unlimited",
    "warning",
    "A limit of 0 for past conversations means no limit in this system.",
    "Set {context_share} a little above 0, or {summary_cap} to 0 for none of them.",
    "Past conversations without limit",
)
TRAILING_REMOVED = FindingKind(
    "trailing_removed",
    "warning",
    "The prompt has to end with a message of the user, so later messages were removed.",
    "Raise {history_share} until all messages fit (nothing is removed then), or turn off {trailing_user}.",
    "Later messages removed",
)
NEWEST_MESSAGES_LOST = FindingKind(
    "newest_messages_lost",
    "error",
    "Only the oldest messages are read, and the newest, needed for the reply, are lost.",
    "Raise {message_limit} above the number of messages, or use the preset chorus-2026.02, which reads the newest.",
    "Newest messages lost",
)
CORE_MEMORY_FILTERED_BY_SOURCE = FindingKind(
    "core_memory_filtered_by_source",
    "warning",
    "Core memories saved on another platform are left out, although they should hold everywhere.",
    "Pin them, or save them for this platform too.",
    "Core memories of other platforms",
)
CHARACTER_WIDE_MEMORY_LOST = FindingKind(
    "character_wide_memory_lost",
    "warning",
    "Memories of no conversation should fit every conversation, but this system assigns them to another one.",
    "Pin them, give them the thread of this conversation, or make them core memories or facts.",
    "Memories for every chat lost",
)
PRIORITY_ZERO = FindingKind(
    "priority_zero",
    "info",
    "A priority of 0 counts as 50, as if the memory had none.",
    "Give the memory a priority of 1 instead.",
    "Priority 0 counts as 50",
)
MULTI_SOURCE_MEMORY_IGNORED = FindingKind(
    "multi_source_memory_ignored",
    "info",
    "The source messages of a memory are not kept with it, because it names several of them.",
    "Pin these messages, or mark them as emotional.",
    "Source messages not kept along",
)

# adaptive, and WhisperEngine's published code.

EMERGENCY_TRUNCATION = FindingKind(
    "emergency_truncation",
    "warning",
    "The system message alone takes the whole limit of the prompt, at the cost of the conversation.",
    "Shorten the system prompt, lower {system_budget} well below {max_tokens}, or raise {max_tokens}.",
    "System message fills the limit",
)
CURRENT_MESSAGE_LOST = FindingKind(
    "current_message_lost",
    "error",
    "The model will not see the message to answer.",
    "Pin that message; to keep the conversation too, lower {system_budget} well below {max_tokens}.",
    "Message to answer lost",
)
SYSTEM_OVER_STAGE2 = FindingKind(
    "system_over_stage2",
    "warning",
    "The components may exceed the limit of the whole prompt, leaving no room for the conversation.",
    "Set {system_budget} well below {max_tokens}; 0 sets no limit at all.",
    "Components above the whole limit",
)
REQUIRED_OVER_BUDGET = FindingKind(
    "required_over_budget",
    "warning",
    "The required components alone exceed the limit of the system message.",
    "Make fewer components required, shorten them, or raise {system_budget}.",
    "Required components too large",
)
COMPONENT_CUT = FindingKind(
    "component_cut",
    "warning",
    "A required component lost its middle, because all required ones together do not fit.",
    "Shorten the component, raise {system_budget}, or set {required_overflow=keep} to keep them whole.",
    "Required component cut",
)
DUPLICATES_CHARGED = FindingKind(
    "duplicates_charged",
    "warning",
    "Repeated components took up room before they were left out, at the cost of other items.",
    "Leave out the repeats (their first 200 characters are the same), or raise {system_budget}.",
    "Repeated components charged",
)

# reserve, and the published ibex-harness.

CONSTRAINED = FindingKind(
    "constrained",
    "warning",
    "The conversation, the reply and the margin leave little for memories.",
    "Lower {response_ratio}, {response_min} or {safety_ratio}, take a larger window, or leave out old messages: this "
    "policy never cuts the conversation.",
    "Little left for memories",
)
KNAPSACK_GREEDY = FindingKind(
    "knapsack_greedy",
    "info",
    "There are too many memories to find the best set, so those with the most score per token go first.",
    "The result is close to the best set. For the best set itself leave out memories, or take a smaller window.",
    "Too many memories to find the best set",
)
GREEDY_FALLBACK = FindingKind(
    "greedy_fallback",
    "info",
    "There are too many memories for this system, so the best scores go first until too many do not fit.",
    "Raise {dp_cell_ceiling}, or {max_consecutive_skips} so that shorter memories further down still get in.",
    "Best scores go first",
)
BUCKET_ROUNDING = FindingKind(
    "bucket_rounding",
    "info",
    "Memories are weighed in steps of 16 tokens, so the best set had to be changed.",
    "Compare with {pack=knapsack}, which counts every token.",
    "Best set changed by rounding",
)
CUT_UNRANKED = FindingKind(
    "cut_unranked",
    "warning",
    "Only the first memories of the file are ranked, and better ones come after them.",
    "Raise {memory_candidates}, or set it to 0 to rank them all.",
    "Later memories not ranked",
)

# window_rag, and the published Sanguine Scribe.

TWO_TOTALS = FindingKind(
    "two_totals",
    "info",
    "The last check keeps to another limit than the total limit.",
    "Set {hard_limit} and {total_limit} to the same figure.",
    "Two different total limits",
)
FIRST_CHUNK_OVER_BUDGET = FindingKind(
    "first_chunk_over_budget",
    "warning",
    "The best match is kept, although it exceeds the rest of its budget.",
    "Raise {rag_budget} (and {total_limit}, if the conversation took the room), or leave this item out.",
    "Best match over its budget",
)
TAIL_CUT = FindingKind(
    "tail_cut",
    "warning",
    "Some of the newest messages, otherwise always kept, are dropped as well.",
    "Raise {hard_limit}, or shorten the fixed parts: the system prompt, the next message and {preamble_tokens}.",
    "Some of the newest dropped",
)

# slots, and the published brainos-cortex.

SLOT_EXCEEDED = FindingKind(
    "slot_exceeded",
    "warning",
    "The system text or the profile is longer than its slot; it stays whole, and memories get less.",
    "Shorten it, or raise {system_slot} or {profile_slot}.",
    "Text longer than its slot",
)
ATTACHMENTS_OVER_SLOT = FindingKind(
    "attachments_over_slot",
    "warning",
    "The attached files together take more than their slot.",
    "Attach less, raise {attachments_slot}, or lower {attachment_floor_chars}, the least of each file. "
    "For texts with many tokens for their length lower {chars_per_token}.",
    "Attached files over their slot",
)
SYSTEM_CHARGED_TO_MEMORY = FindingKind(
    "system_charged_to_memory",
    "warning",
    "The system message has its slot and is charged to the memories once more, so fewer of them fit.",
    "Shorten the system prompt, lower {system_slot} and {profile_slot}, or use the preset document, which "
    "charges it once.",
    "System message charged twice",
)
NO_ROOM_FOR_MEMORY = FindingKind(
    "no_room_for_memory",
    "warning",
    "The system message alone takes all tokens for memories.",
    "Shorten the system prompt, lower {system_slot}, {profile_slot} or {response_slot}, or take a larger window.",
    "No room for memories",
)
NEWEST_MESSAGE_TOO_LONG = FindingKind(
    "newest_message_too_long",
    "warning",
    "The newest message before the next one exceeds the conversation slot, so no older message is considered.",
    "Raise {history_slot} (with {scale=window}: take a larger window), or leave that message out.",
    "Newest message too long",
)

# Chat programs and the servers behind them.

MANDATORY_OVER_BUDGET = FindingKind(
    "mandatory_over_budget",
    "error",
    "A fixed prompt does not fit, so nothing after it is sent: neither conversation nor next message.",
    "Raise {context_size}, lower {response_length}, or shorten the fixed prompts: the system prompt, the character and "
    "the active lore.",
    "A fixed prompt does not fit",
)
PROMPT_CUT = FindingKind(
    "prompt_cut",
    "warning",
    "The program or the server cuts tokens out of the prompt, in the middle of messages.",
    "Raise {prompt}, or lower {reply}, so that nothing is cut; or leave items out yourself.",
    "Tokens cut out of the prompt",
)
CONTEXT_SHIFTED = FindingKind(
    "context_shifted",
    "warning",
    "While the reply grows, the server forgets tokens of the prompt.",
    "Raise {n_ctx}, or lower {reply_tokens}.",
    "Prompt forgotten during the reply",
)
SERVER_DROPS = FindingKind(
    "server_drops",
    "warning",
    "The server behind the application cannot hold the prompt, and leaves out a part of it without a word.",
    "Run the model with more context and say so (--server-context), or send less. It helps to lower {prompt}.",
    "The server drops a part of the prompt",
)
SERVER_REFUSES = FindingKind(
    "server_refuses",
    "error",
    "The server behind the application refuses the prompt, since it is longer than the context.",
    "Run the model with more context and say so (--server-context), or send less. It helps to lower {prompt}.",
    "The server refuses the prompt",
)

FINDING_KINDS = tuple(value for value in list(globals().values()) if isinstance(value, FindingKind))
"""Every built-in kind, in the order of this module."""
