"""The rule for pictures from a model's own folder, with the limits its files set.

The files are those of Hugging Face: `preprocessor_config.json`, or `processor_config.json` with the same settings under
`image_processor`; `image_processor_type` names the processor of huggingface/transformers, and so the kind of rule.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from inspector.reading.decode import converted, read_value
from inspector.reading.values import UnreadableError
from inspector.tokens.media.grids import GemmaGrid
from inspector.tokens.media.open_models import BestGrid, Canvas, Cells, Fixed, MarkedRows
from inspector.tokens.media.rules import PictureRule

_FILES = ("processor_config.json", "preprocessor_config.json")
"""In rising order: a setting in the later one wins."""


class _Sides(msgspec.Struct):
    shortest_edge: int | None = None
    longest_edge: int | None = None
    height: int | None = None
    width: int | None = None


class _Settings(msgspec.Struct):
    """The settings of an image processor that set its limits; pixels and patches as the processor names them."""

    image_processor_type: str = ""
    size: _Sides = msgspec.field(default_factory=_Sides)
    min_pixels: int | None = None
    max_pixels: int | None = None
    patch_size: int | _Sides | None = None
    merge_size: int | None = None
    spatial_merge_size: int | None = None
    temporal_patch_size: int | None = None
    max_soft_tokens: int | None = None
    min_patches: int | None = None
    max_patches: int | None = None
    image_seq_length: int | None = None

    @property
    def patch(self) -> int | None:
        """The side of a patch in pixels."""
        return self.patch_size.height if isinstance(self.patch_size, _Sides) else self.patch_size


@dataclass(frozen=True, slots=True)
class FolderPictures:
    """The rule of a folder for pictures, None if its files name no known processor, and the marks around a picture.

    `problems` are sentences about unusable files.
    """

    rule: PictureRule | None = None
    beside: int = 0
    problems: tuple[str, ...] = ()


def folder_pictures(folder: Path) -> FolderPictures:
    """Return the rule for pictures that the files of a model's folder set."""
    found: dict[str, Any] = {}
    problems: list[str] = []
    for file in _FILES:
        values, problem = _values(folder / file)
        found |= values
        problems += [problem] if problem else []
    try:
        rule, beside = _rule(converted(found, _Settings))
    except (msgspec.ValidationError, ValueError) as error:
        said = f"The limits of pictures in {folder} cannot be used: {str(error).replace('`', '')}."
        return FolderPictures(problems=(*problems, said))
    return FolderPictures(rule, beside, tuple(problems))


def _values(path: Path) -> tuple[Mapping[str, Any], str]:
    """Return the settings of a file, those of its image processor first, and a sentence if it cannot be used."""
    if not os.path.isfile(path):
        return {}, ""
    try:
        value = read_value(path)
    except UnreadableError as error:
        return {}, f"{error}."
    if not isinstance(value, dict):
        return {}, f"{path} is not an object of JSON."
    inner = value.get("image_processor")
    return ({**value, **inner} if isinstance(inner, dict) else value), ""


def _rule(settings: _Settings) -> tuple[PictureRule | None, int]:
    name = settings.image_processor_type.removesuffix("Fast")
    make, beside = _PROCESSORS.get(name, (None, 0))
    return (None, 0) if make is None else (make(settings), beside)


def _above_zero(value: int | None, usual: int, name: str) -> int:
    number = usual if value is None else value
    if number <= 0:
        raise ValueError(f"{name}: expected a number above 0, got {number}")
    return number


def _qwen(settings: _Settings) -> PictureRule:
    cell = _above_zero(settings.patch, 14, "patch_size") * _above_zero(settings.merge_size, 2, "merge_size")
    return Cells(cell, *_pixels(settings, 56 * 56, 28 * 28 * 1280))


def _glm(settings: _Settings) -> PictureRule:
    """A picture is two frames to GLM's processor, whose pixels are those of both."""
    cell = _above_zero(settings.patch, 14, "patch_size") * _above_zero(settings.merge_size, 2, "merge_size")
    frames = _above_zero(settings.temporal_patch_size, 2, "temporal_patch_size")
    least, most = _pixels(settings, 112 * 112, 28 * 28 * 15_000)
    return Cells(cell, least // frames, most // frames, enlarges=True)


def _pixels(settings: _Settings, least: int, most: int) -> tuple[int, int]:
    """Return the least and the most pixels; the older names win, as in the processors."""
    low = settings.size.shortest_edge if settings.min_pixels is None else settings.min_pixels
    high = settings.size.longest_edge if settings.max_pixels is None else settings.max_pixels
    found = _above_zero(low, least, "min_pixels"), _above_zero(high, most, "max_pixels")
    if found[0] > found[1]:
        raise ValueError(f"min_pixels: expected at most max_pixels, {found[1]:,}, got {found[0]:,}")
    return found


def _pixtral(settings: _Settings) -> PictureRule:
    cell = _above_zero(settings.patch, 16, "patch_size") * _above_zero(settings.spatial_merge_size, 1, "merge_size")
    return MarkedRows(cell, _above_zero(settings.size.longest_edge, 1_024, "size.longest_edge"))


def _gemma3(settings: _Settings) -> PictureRule:
    tokens = _above_zero(settings.image_seq_length, 256, "image_seq_length")
    return Fixed(tokens, f"{tokens:,} for a picture of any size (without pan and scan)")


def _gemma4(settings: _Settings) -> PictureRule:
    return GemmaGrid(_above_zero(settings.max_soft_tokens, 280, "max_soft_tokens"))


def _got_ocr(settings: _Settings) -> PictureRule:
    least = _above_zero(settings.min_patches, 1, "min_patches")
    most = _above_zero(settings.max_patches, 12, "max_patches")
    if least > most:
        raise ValueError(f"min_patches: expected at most max_patches, {most:,}, got {least:,}")
    tile = _above_zero(settings.size.height, 448, "size.height")
    return BestGrid(tile, least, most, _above_zero(settings.image_seq_length, 256, "image_seq_length"))


def _llama4(settings: _Settings) -> PictureRule:
    tile = _above_zero(settings.size.height, 336, "size.height")
    return Canvas(tile, _above_zero(settings.max_patches, 16, "max_patches"), max(1, (tile // 14) ** 2 // 4))


_PROCESSORS: Mapping[str, tuple[Callable[[_Settings], PictureRule], int]] = {
    "Qwen2VLImageProcessor": (_qwen, 2),
    "Glm4vImageProcessor": (_glm, 2),
    "Glm46VImageProcessor": (_glm, 2),
    "PixtralImageProcessor": (_pixtral, 0),
    "Gemma3ImageProcessor": (_gemma3, 4),
    "Gemma4ImageProcessor": (_gemma4, 2),
    "GotOcr2ImageProcessor": (_got_ocr, 2),
    "Llama4ImageProcessor": (_llama4, 2),
}
"""The processors with a rule here, and the marks that their chat templates write around a picture."""
