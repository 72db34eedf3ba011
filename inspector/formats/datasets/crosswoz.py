"""CrossWOZ: Chinese dialogues in which a system helps a user to plan a day.

Layout: github.com/thu-coai/CrossWOZ, `data/crosswoz/*.json`: `{"10550": {sys-usr, goal, messages[{role usr|sys,
content, dialog_act, …}], task description[], type}}`.
"""

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.turn_layout import TurnLayout

FORMAT = ChatLayout(
    name="crosswoz",
    title="CrossWOZ dialogues",
    sign="dialogues by name, their `messages` of the roles usr and sys",
    expected="a dialogue whose messages are of usr and sys",
    chats=("",),
    turns=("messages",),
    turn=TurnLayout(role=("role",), roles={"usr": "user", "sys": "assistant"}, text=("content",)),
).format
