"""Archives: thousands of saved chats, each read, analyzed and released separately.

`files` lists them, `chats` reads a file, `workers` provides the workers, `working` hands them the files and collects
the results. On top of that: `rows`, `parts` and `sweep` (a sweep that can be killed and continued), `query` (SQL on its
rows), `figures` and `report` (a description of the chats).
"""
