"""Archives: thousands of saved chats, each read, worked through and let go of by itself.

`files` lists them, `chats` reads one, `workers` are those who work, `working` hands them the files and takes what comes
back. On top of that: `rows`, `parts` and `sweep` (a sweep that can be killed and continued), `query` (SQL on its rows),
`figures` and `report` (what the chats are like).
"""
