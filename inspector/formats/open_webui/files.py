"""Files that users gave to an Open WebUI chat: pictures are counted, texts are documents. No base64 is kept."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.model import Document, Message, changed
from inspector.reading.values import as_text, mapping, objects


def with_files(message: Message, record: Mapping[str, Any]) -> Message:
    """Return the message with its pictures counted and the names of its other files in the metadata."""
    files = objects(record.get("files"))
    names = [_name(file) for file in files if not _is_image(file)]
    images = message.images + len(files) - len(names)
    metadata = {**message.metadata, "files": names} if names else message.metadata
    return changed(message, images=images, metadata=metadata)


def documents_of(record: Mapping[str, Any], id_: str) -> Iterator[Document]:
    """Yield the files of a message or chat whose text is in the export; `id_` is the prefix of their ids."""
    for number, file in enumerate(objects(record.get("files"))):
        text = _text(file)
        if text.strip() and not _is_image(file):
            yield Document(f"{id_}/{number}", text, _name(file))


def _is_image(file: Mapping[str, Any]) -> bool:
    return file.get("type") == "image" or as_text(file.get("content_type")).startswith("image/")


def _name(file: Mapping[str, Any]) -> str:
    inner = mapping(file.get("file"))
    names = (file.get("name"), inner.get("filename"), mapping(inner.get("meta")).get("name"), file.get("id"))
    return next((name for value in names if isinstance(value, str) and (name := as_text(value))), "file")


def _text(file: Mapping[str, Any]) -> str:
    inner = mapping(mapping(file.get("file")).get("data")).get("content")
    return as_text(inner) if isinstance(inner, str) else ""
