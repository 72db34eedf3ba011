"""Kinds of findings of any policy, declared once: their meaning, and advice for the user.

The sentence with the figures of a case is a finding's own message. Rules that look for findings do not belong here.
"""

from inspector.assembly.finding_kind import FindingKind
from inspector.assembly.policy_finding_kinds import POLICY_FINDING_KINDS

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

FINDING_KINDS = (
    *(value for value in list(globals().values()) if isinstance(value, FindingKind)),
    *POLICY_FINDING_KINDS,
)
"""Every built-in kind: those of any policy in the order of this module, then those of the built-in policies."""
