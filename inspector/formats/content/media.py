"""Pictures, documents, sounds and films of a content, with the sizes that their first bytes or the source tell.

The kind of a medium is told by its part's type or by its media type. Its data are base64, alone or in a data URL, or
lie elsewhere: at an address or under the id of a file. Nothing is fetched.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.model import DocumentPart, Image, Medium, Place, Sound, Video
from inspector.reading.media_sizes import HEAD, MediaSize, media_size, pcm_seconds, size_of_base64
from inspector.reading.values import as_text, as_whole, mapping

_IMAGE, _DOCUMENT, _AUDIO, _VIDEO, _FILE = "image", "document", "audio", "video", ""
KINDS: Mapping[str, str] = {
    **dict.fromkeys(("image", "image_url", "input_image", "image_file", "computer_screenshot", "screenshot"), _IMAGE),
    **dict.fromkeys(("inlineImage", "driveImage", "image-data", "image-url", "image-file-id"), _IMAGE),
    **dict.fromkeys(("audio", "input_audio", "output_audio", "audio_url", "inlineAudio", "driveAudio"), _AUDIO),
    **dict.fromkeys(("video", "video_url", "input_video", "inlineVideo", "driveVideo", "youtubeVideo"), _VIDEO),
    **dict.fromkeys(("document", "document_url", "driveDocument"), _DOCUMENT),
    **dict.fromkeys(("file", "input_file", "media", "blob", "uri", "inlineData", "fileData", "inlineFile"), _FILE),
    **dict.fromkeys(("file-data", "file-url", "file-id", "inline_data", "file_data"), _FILE),
}
"""The kind of each type of part; "" is told by the media type."""

_INNER = ("source", "input_audio", "file", "image", "audio", "video", "document", "s3Location", "image_url")
_DATA = ("data", "file_data", "base64", "bytes")
_MAYBE_DATA = ("image_url", "input_image", "image", "url", "audio_url", "input_audio", "video_url", "audio", "video")
_ELSEWHERE = ("file_url", "document_url", "uri", "fileUri", "file_uri", "file_id", "fileId", "asset_pointer", "id")
_TYPES = ("media_type", "mime_type", "mimeType", "mediaType", "contentType", "content_type", "format")
_NAMES = ("filename", "file_name", "fileName", "displayName", "document_name", "title", "name", "file_uuid")
_SIZES = ("size_bytes", "size", "bytes")
_DATA_URL = re.compile(r"data:([^,;]*)((?:;[^,;]*)*),")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{40}[A-Za-z0-9+/_=\s-]*\Z")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,12}://")
_PEEK = 400
_ENDINGS: Mapping[str, str] = {
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp", "heic", "heif", "bmp", "svg", "tiff", "avif"), _IMAGE),
    **dict.fromkeys(("mp3", "wav", "m4a", "ogg", "opus", "flac", "aac", "weba"), _AUDIO),
    **dict.fromkeys(("mp4", "mov", "webm", "mkv", "avi", "m4v", "mpeg", "mpg", "3gp"), _VIDEO),
}
_DEEPEST = 3


def medium_of(type_: str, part: Mapping[str, Any], at: At) -> Medium:
    """Return the medium of a part of one of the types of `KINDS`, with any vendor's keys."""
    layers = list(_layers(part, type_, "", _DEEPEST))
    size, place, address = _found(layers, at)
    media_type = _media_type(layers, KINDS[type_])
    if not size.seconds and size.bytes and (seconds := pcm_seconds(media_type, size.bytes)):
        size = MediaSize(size.media_type, size.bytes, seconds=seconds)
    name = _first_text(layers, _NAMES)
    kind = KINDS[type_] or _first_text(layers, ("modality",))
    return made(kind, _recorded(layers, size), media_type, name, address, place, _detail(layers))


def made(
    kind: str,
    size: MediaSize | None = None,
    media_type: str = "",
    name: str = "",
    address: str = "",
    place: Place | None = None,
    detail: str = "",
) -> Medium:
    """Return a medium of a kind, or of the kind told by its media type, its bytes or the ending of its name.

    Without any of these it is a document. A PDF is a document even where it is sent as a picture.
    """
    size = size or MediaSize()
    media_type = media_type or size.media_type
    kind = kind_of_medium(kind, size.media_type or media_type, name or address)
    same = {"media_type": media_type, "bytes": size.bytes, "name": name, "address": address, "place": place}
    if kind == _IMAGE:
        return Image(size.width, size.height, detail, **same)
    if kind == _AUDIO:
        return Sound(size.seconds, **same)
    return Video(size.seconds, **same) if kind == _VIDEO else DocumentPart(size.pages, **same)


def kind_of_medium(kind: str, media_type: str, name: str) -> str:
    """Return image, audio, video or document: `kind` if it is one of them and the data are no PDF."""
    if media_type == "application/pdf":
        return _DOCUMENT
    if kind in (_IMAGE, _AUDIO, _VIDEO, _DOCUMENT):
        return kind
    beginning = media_type.partition("/")[0]
    if beginning in (_IMAGE, _AUDIO, _VIDEO):
        return beginning
    return _ENDINGS.get(name.rpartition(".")[2].lower(), _DOCUMENT)


def medium_at(kind: str, held: Mapping[str, Any], key: str, at: At) -> Medium:
    """Return the medium of an object of an application of its own layout, with its data under a key ("" for none)."""
    data = held.get(key)
    size = _size(data, True) if isinstance(data, str) and data else MediaSize()
    layers: list[_Layer] = [("", held)]
    name, media_type = _first_text(layers, _NAMES), _media_type(layers, kind)
    return made(
        kind, _recorded(layers, size or MediaSize()), media_type, name, place=at.source(f".{key}") if data else None
    )


def picture_of(value: Any, at: At) -> Medium:
    """Return the picture of a list of pictures beside a text, as Ollama's `images`: base64, a path, or an object."""
    if not isinstance(value, str):
        return medium_of("image", mapping(value), at)
    size = _size(value, False)
    return made("image", size, place=at.source()) if size else made("image", address=as_text(value))


_Layer = tuple[str, Mapping[str, Any]]


def _layers(part: Mapping[str, Any], type_: str, path: str, depth: int) -> Iterator[_Layer]:
    """Yield the object and those inside of it under the usual keys, the innermost first, each with its path."""
    for key in dict.fromkeys((type_, *_INNER)):
        if depth and isinstance(part.get(key), Mapping):
            yield from _layers(part[key], "", f"{path}.{key}", depth - 1)
    yield path, part


def _found(layers: list[_Layer], at: At) -> tuple[MediaSize, Place | None, str]:
    """Return the size of the data, where they are in the source, and where they are elsewhere."""
    elsewhere = ""
    for path, held in layers:
        for key in (*_DATA, *_MAYBE_DATA, *(("content",) if held.get("type") == "blob" else ())):
            value = held.get(key)
            sure = key not in _MAYBE_DATA
            if isinstance(value, str) and value:
                size = _size(value, sure)
                if size is not None:
                    return size, at.source(f"{path}.{key}"), ""
                elsewhere = elsewhere or as_text(value)
            elif (raw := _bytes_of(value)) is not None:
                return media_size(raw[:HEAD], len(raw), lambda raw=raw: raw), at.source(f"{path}.{key}"), ""
    return MediaSize(), None, elsewhere or _first_text(layers, _ELSEWHERE)


def _size(text: str, sure: bool) -> MediaSize | None:
    """Return the size of data in a text; None if it is an address. `sure`: its key says that it is data."""
    if url := _DATA_URL.match(text, 0, _PEEK):
        if "base64" not in url[2]:
            return MediaSize(url[1], len(text) - url.end())
        size = size_of_base64(text, url.end())
        return MediaSize(url[1] or size.media_type, *_figures(size))
    if (sure and not _ADDRESS.match(text)) or _BASE64.match(text[:_PEEK]):
        return size_of_base64(text)
    return None


def _figures(size: MediaSize) -> tuple[Any, ...]:
    return size.bytes, size.width, size.height, size.pages, size.seconds


def _bytes_of(value: Any) -> bytes | None:
    """Return the bytes that JavaScript writes as a list of numbers, as an object of them, or as a Buffer."""
    numbers = value.get("data", list(value.values())) if isinstance(value, Mapping) else value
    if not isinstance(numbers, list) or len(numbers) < 4:
        return None
    return bytes(numbers) if all(type(one) is int and 0 <= one < 256 for one in numbers) else None


def _media_type(layers: list[_Layer], kind: str) -> str:
    """Return the media type as named, or made of a bare format such as png."""
    named = _first_text(layers, _TYPES)
    if not named or "/" in named or named in ("pcm16", "g711_ulaw", "g711_alaw"):
        return named
    return f"{kind}/{named}" if kind in (_IMAGE, _AUDIO, _VIDEO) else f"application/{named}"


def _recorded(layers: list[_Layer], size: MediaSize) -> MediaSize:
    """Return the size with what the source names beside the data, if these do not tell."""
    width, height = (_first_whole(layers, (key,)) for key in ("width", "height"))
    return MediaSize(
        size.media_type,
        size.bytes if size.bytes is not None else _first_whole(layers, _SIZES),
        size.width or width,
        size.height or height,
        size.pages,
        size.seconds,
    )


def _detail(layers: list[_Layer]) -> str:
    """Return the level asked for: OpenAI's `detail`, or Gemini's `mediaResolution` (MEDIA_RESOLUTION_HIGH)."""
    for _, held in layers:
        level = held.get("mediaResolution", held.get("media_resolution"))
        named = mapping(level).get("level", level)
        if isinstance(named, str):
            return as_text(named).removeprefix("MEDIA_RESOLUTION_").lower()
    return _first_text(layers, ("detail",))


def _first_text(layers: list[_Layer], names: tuple[str, ...]) -> str:
    values = (held.get(name) for name in names for _, held in layers)
    return next((as_text(value) for value in values if isinstance(value, str) and value), "")


def _first_whole(layers: list[_Layer], names: tuple[str, ...]) -> int | None:
    values = (as_whole(held.get(name)) for name in names for _, held in layers if type(held.get(name)) is int)
    return next((value for value in values if value and value > 0), None)
