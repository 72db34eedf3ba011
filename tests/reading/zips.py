"""Zip archives made in memory."""

import io
import zipfile


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return memory.getvalue()
