"""Documents of logs in which people speak by name, and of the sets of dialogues, as values and as text."""

from typing import Any

SLACK_DAY: list[dict[str, Any]] = [
    {"type": "message", "user": "U0000001", "text": "<@U0000002> &lt;hi&gt; <http://a.b|c>", "ts": "1453000000.000100"},
    {"type": "message", "user": "U0000002", "text": "Ho", "ts": "1453000060.000200", "thread_ts": "1453000000.000100"},
    {"type": "message", "subtype": "channel_join", "user": "U0000002", "text": "joined", "ts": "1453000070.000300"},
    {
        "type": "message",
        "subtype": "bot_message",
        "bot_id": "B1",
        "username": "helper",
        "text": "",
        "ts": "1453000080.000400",
        "attachments": [{"title": "T", "text": "x", "fallback": "f"}],
        "files": [{"name": "a.png", "mimetype": "image/png"}],
    },
]
SLACK_PEOPLE: list[dict[str, Any]] = [
    {"id": "U0000001", "name": "ann", "profile": {"display_name": "Ann"}},
    {"id": "U0000002", "name": "ben", "is_bot": True, "profile": {"real_name": "Ben"}},
]
_DISCORD_TURN: dict[str, Any] = {
    "id": "1",
    "type": "Default",
    "timestamp": "2023-01-15T10:30:00+00:00",
    "content": "Hi",
    "author": {"id": "7", "name": "ann", "nickname": "Ann", "isBot": False},
    "attachments": [{"fileName": "a.png"}, {"fileName": "a.pdf"}],
    "embeds": [{"title": "T", "description": "d", "fields": [{"name": "n", "value": "v"}]}],
    "stickers": [{"name": "s"}],
    "reference": {"messageId": "0"},
}
_DISCORD = {
    "guild": {"id": "0", "name": "Harbour"},
    "channel": {"id": "5", "type": "GuildTextChat", "name": "general"},
    "messages": [
        _DISCORD_TURN,
        {**_DISCORD_TURN, "id": "2", "content": "", "author": {"id": "8", "name": "bot", "isBot": True}},
        {**_DISCORD_TURN, "id": "3", "type": "GuildMemberJoin"},
    ],
}
_TELEGRAM_CHAT = {
    "name": "Ann",
    "type": "personal_chat",
    "id": 5,
    "messages": [
        {"id": 1, "type": "service", "date": "2023-01-01T10:00:00", "actor": "Ann", "action": "phone_call", "text": ""},
        {"id": 2, "type": "message", "date_unixtime": "1672567200", "from": "Bo", "from_id": "user1", "text": "Hi"},
        {"id": 3, "type": "message", "from": "Ann", "text": ["Ho ", {"type": "bold", "text": "there"}], "photo": "a"},
        {"id": 4, "type": "message", "from": None, "text": "", "file": "x", "file_name": "a.pdf", "media_type": ""},
    ],
}
_IRC = "--- Log opened Mon Mar 12 10:00:00 2023\n12:00 < ann> Hi\n12:01 -!- ben [x] has joined #sea\n12:02 <@ben> Ho\n"
_SEARCHED = {
    "question_id": "q_abs",
    "question_type": "multi-session",
    "question": "Where?",
    "answer": "Sea",
    "haystack_session_ids": ["s1", "s2"],
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/19 (Fri) 02:21"],
    "haystack_sessions": [[{"role": "user", "content": "Hi", "has_answer": True}], [{"role": "user", "content": "x"}]],
    "answer_session_ids": ["s1"],
}
_EPISODE = {
    "personas": [["I sail."], ["I cook."]],
    "dialog": [{"text": "Hi", "id": "Speaker 1"}, {"text": "Ho", "id": "Speaker 2"}],
    "previous_dialogs": [{"dialog": [{"text": "Ahoy"}], "time_back": "7 days ago"}],
    "metadata": {"initial_data_id": "valid_0", "session_id": 1},
}

SPOKEN_DOCUMENTS: dict[str, dict[str, Any]] = {
    "slack": {"2016-01-17.json": SLACK_DAY, "users.json": SLACK_PEOPLE},
    "discord": {"channel.json": _DISCORD},
    "telegram": {"result.json": {"chats": {"list": [_TELEGRAM_CHAT]}}, "chat.json": _TELEGRAM_CHAT},
    "whatsapp": {
        "_chat.txt": "[12/03/2023, 10:15:30] Ann: Hi\nmore\n\u200e[13/03/2023, 9:16:30 PM] Ben: \u200eimage omitted\n"
        "[13/03/2023, 10:16:30] Ann: <attached: 1-PHOTO.jpg>\n[13/03/2023, 10:16:31] Ann left\n",
        "android.txt": "12.3.23, 10:15 - Encrypted.\n12.3.23, 10:15 - Ann: Hi\n12.3.23, 10:16 - Ben: a.pdf (file x)\n",
    },
    "irc": {
        "irssi.log": _IRC,
        "weechat.log": "2023-03-12 10:15:30\tann\tHi\n2023-03-12 10:15:31\t-->\tben has joined #sea\n",
    },
    "plain_log": {
        "roles.txt": "System: Be kind.\nUser: Hi\nAssistant: Ho\nthere\n",
        "play.txt": "Ann:\nHow are you?\n\nBen:\nI am fine.\n\nAnn:\nGood to hear.\n\nBen:\nYes, it is.\n",
    },
    "chat_table": {
        "roles.csv": 'id,role,created_at,content\na,user,2024-01-01,Hi\nb,assistant,,"Ho\nthere"\n',
        "people.tsv": "chat\tspeaker\tmessage\n1\tAnn\tHi\n1\tBen\tHo\n2\tAnn\tMe again\n",
        "pairs.csv": "sep=;\nprompt;response;date\nWhy?;So.;2024-01-02\nHow?;Thus.;2024-01-01\n",
    },
    "kdconv": {
        "dev.json": [{"name": "n", "messages": [{"message": "Hi", "attrs": [{"name": "a"}]}, {"message": "Ho"}]}]
    },
    "msc": {"valid.txt": _EPISODE, "valid.jsonl": [_EPISODE] * 2},
    "crosswoz": {
        "test.json": {"7": {"messages": [{"role": "usr", "content": "Hi"}, {"role": "sys", "content": "Ho"}]}}
    },
    "real_persona_chat": {
        "people.json": [
            {
                "dialogue_id": 1,
                "interlocutors": ["AA", "AB"],
                "utterances": [
                    {"utterance_id": 0, "interlocutor_id": "AA", "text": "Hi", "timestamp": "2022-08-10T15:23:01"},
                    {"utterance_id": 1, "interlocutor_id": "AB", "text": "Ho"},
                ],
            }
        ],
    },
    "mt_bench": {
        "question.jsonl": [{"question_id": 1, "category": "math", "turns": ["Hi", "Ho"], "reference": ["x", None]}] * 2,
        "answer.jsonl": [{"question_id": 1, "model_id": "m", "choices": [{"turns": ["a"]}, {"turns": ["b", "c"]}]}] * 2,
    },
    "longmemeval": {"oracle.json": [_SEARCHED]},
}
"""The documents of each format by the names of their files; texts stand for themselves."""
