"""The way from a match to its item: the conversation is opened, and the item selected in its table."""

from inspector.assembly.candidates import Candidates
from inspector.assembly.choices import ChosenParts
from inspector.assembly.columns import Kind
from inspector.gui.parts.texts import one_line
from inspector.gui.screens.screen import Controls, Host
from inspector.model import Conversation, Lorebook, MemorySet, Message
from inspector.retrieval.search.find import Holder, Place, Thing, home_of

NAME_CODE_POINTS = 60
NO_PART = "is no part of the shown prompt."
OTHER_BRANCH = "is on another branch. Choose its branch in Sources."


def go_to(host: Host, holder: Holder, place: Place | None, words: tuple[str, ...]) -> None:
    """Open the conversation of a match and select the item of its place in the table, with the focus there.

    If the item takes no part in the prompt, a message in the status line says so.
    """
    session = host.session
    home = home_of(session.workspace, holder)
    if home is not None and not _is_shown(host, holder):
        session.show_conversation(home.id)
        session.flush()
    if place is None:
        return
    thing, answer = place.thing, session.answer
    row = _row_of(answer.assembly.candidates, holder, thing) if answer is not None and _is_shown(host, holder) else None
    if row is None:
        why = OTHER_BRANCH if _is_on_other_branch(host, holder, thing.id) else NO_PART
        host.say(f"{one_line(thing.id, NAME_CODE_POINTS)} {why}")
        return
    is_lore = isinstance(holder, Lorebook)
    for screen in ("memories",) if is_lore else ("decisions", "details"):
        host.show_screen(screen)
    host.select(row)
    host.mark_words(words)
    host.give_keyboard("memories" if is_lore else "decisions")


def _is_shown(host: Host, holder: Holder) -> bool:
    controls = Controls.of(host.session)
    return controls is not None and _takes_part(controls.case.chosen, holder)


def _is_on_other_branch(host: Host, holder: Holder, name: str) -> bool:
    """Return whether the conversation is shown without this message."""
    if not isinstance(holder, Conversation) or (controls := Controls.of(host.session)) is None:
        return False
    chosen = controls.case.chosen
    return _takes_part(chosen, holder) and all(message.id != name for message in chosen.parts.messages)


def _takes_part(chosen: ChosenParts, holder: Holder) -> bool:
    if isinstance(holder, Conversation):
        return chosen.conversation is not None and chosen.conversation.id == holder.id
    if isinstance(holder, MemorySet):
        return any(memories.id == holder.id for memories in chosen.parts.memory_sets)
    return any(entry in chosen.parts.lore for entry in holder.entries)


def _row_of(candidates: Candidates, holder: Holder, thing: Thing) -> int | None:
    """Return the row of a message, a memory of a set or a lorebook entry, or None if it takes no part."""
    items, name = candidates.items, thing.id
    if isinstance(holder, Lorebook):  # two books may have entries with the same id
        rows = candidates.rows(Kind.LORE).tolist()
        named = (row for row in rows if items.plain_ids[row] == name)
        return next((row for row in rows if items.things[row] is thing), next(named, None))
    sets = {items.lists[row] for row in candidates.rows(Kind.MEMORY).tolist()}
    of_set = "memories" if sets == {"memories"} else holder.id
    for row in candidates.rows(Kind.MEMORY if isinstance(holder, MemorySet) else Kind.MESSAGE).tolist():
        if items.plain_ids[row] == name and (isinstance(items.things[row], Message) or items.lists[row] == of_set):
            return row
    return None
