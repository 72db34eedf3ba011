"""Archives: thousands of saved chats, each read, analyzed and released separately.

`files` lists them, `chats` reads a file, `workers` provides the workers, `working` hands them the files and collects
the results. On top of that: `rows`, `parts` and `sweep` (a sweep that can be killed and continued), `query` (SQL on its
rows), `figures`, `overview` and `survey` (what each chat and all of them come to, also while they are looked at in the
order of an `agenda`), and `summary` and `topics` (their description on a page).
"""
