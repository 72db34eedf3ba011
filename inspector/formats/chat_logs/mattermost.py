"""Bulk exports of Mattermost (`mmctl export`, `mattermost export bulk`): a line for each post, with its replies.

The objects of docs.mattermost.com (bulk loading data): `post`, `direct_post`, and teams, channels, users beside them.
"""

from inspector.formats.chat_logs.log_layout import LogLayout

_POSTS = ("post", "direct_post")
FORMAT = LogLayout(
    name="mattermost",
    title="Mattermost bulk export",
    sign="lines of `type` `post` or `direct_post` with `user`, `message` and `create_at`",
    expected="lines with posts of Mattermost (objects with type and post)",
    marks=("post.user|direct_post.user|user", "post.create_at|direct_post.create_at|create_at"),
    group=("post.channel", "direct_post.channel_members"),
    replies=("post.replies", "direct_post.replies"),
    sender=("post.user", "direct_post.user", "user"),
    text=("post.message", "direct_post.message", "message"),
    time=("post.create_at", "direct_post.create_at", "create_at"),
    kind=("type",),
    silent=(*("version", "team", "channel", "user", "direct_channel", "emoji", "scheme", "role", "bot", "preference"),),
    files=("post.attachments", "direct_post.attachments", "attachments"),
    no_prompt=("reactions", "props", "channel_members", "header", "purpose", "display_name", "description"),
).format
