"""Limits of pictures from the files of a model's own folder."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.tokens.certainty import Certainty
from inspector.tokens.media.folder import folder_pictures
from inspector.tokens.media.media import media_of

_PREPROCESSOR, _PROCESSOR = "preprocessor_config.json", "processor_config.json"


def _write(folder: Path, file: str, **values: Any) -> None:
    (folder / file).write_text(json.dumps(values))


def _tokens(folder: Path, width: int, height: int, model: str = "") -> int:
    found = folder_pictures(folder)
    assert not found.problems
    return media_of(model, folder=found).picture(width, height).tokens


def test_the_limits_of_the_folder_are_those_of_its_model(tmp_path: Path) -> None:
    _write(
        tmp_path,
        _PREPROCESSOR,
        image_processor_type="Qwen2VLImageProcessorFast",
        min_pixels=3136,
        max_pixels=256 * 28 * 28,
        patch_size=14,
        merge_size=2,
    )
    shrunk = _tokens(tmp_path, 1024, 1024, "qwen2.5-vl-7b")
    assert shrunk == 256 < media_of("qwen2.5-vl-7b").picture(1024, 1024).tokens
    assert _tokens(tmp_path, 1024, 1024, "my own model") == shrunk, "a model that no row names"


@pytest.mark.parametrize(
    ("settings", "size", "tokens"),
    [
        ({"image_processor_type": "Qwen2VLImageProcessor", "patch_size": 16, "merge_size": 2,
          "size": {"shortest_edge": 65_536, "longest_edge": 16_777_216}}, (1920, 1080), 2040),
        ({"image_processor_type": "Glm4vImageProcessor"}, (4032, 3024), 7500),
        ({"image_processor_type": "Gemma3ImageProcessor", "image_seq_length": 256}, (4032, 3024), 256),
        ({"image_processor_type": "PixtralImageProcessor", "size": {"longest_edge": 1024},
          "patch_size": {"height": 16, "width": 16}}, (640, 480), 1230),
        ({"image_processor_type": "GotOcr2ImageProcessorFast", "size": {"height": 448}}, (640, 480), 3328),
        ({"image_processor_type": "Llama4ImageProcessorFast", "size": {"height": 336, "width": 336}}, (336, 336), 145),
    ],
)  # fmt: skip
def test_each_processor_has_its_rule(
    tmp_path: Path, settings: dict[str, Any], size: tuple[int, int], tokens: int
) -> None:
    _write(tmp_path, _PREPROCESSOR, **settings)
    assert _tokens(tmp_path, *size) == tokens


def test_newer_folders_have_the_processor_in_another_file(tmp_path: Path) -> None:
    inner = {"image_processor_type": "Gemma4ImageProcessor", "max_soft_tokens": 1120}
    _write(tmp_path, _PROCESSOR, image_processor=inner, processor_class="Gemma4Processor")
    assert _tokens(tmp_path, 1024, 768) == 1064


def test_both_files_together_give_the_cells_of_mistral_small(tmp_path: Path) -> None:
    _write(
        tmp_path,
        _PREPROCESSOR,
        image_processor_type="PixtralImageProcessor",
        patch_size=14,
        size={"longest_edge": 1540},
    )
    _write(tmp_path, _PROCESSOR, spatial_merge_size=2)
    assert _tokens(tmp_path, 640, 480) == 432


def test_another_processor_leaves_the_rule_of_the_name(tmp_path: Path) -> None:
    _write(tmp_path, _PREPROCESSOR, image_processor_type="SiglipImageProcessor", size={"height": 224})
    assert _tokens(tmp_path, 100, 100, "gemma-3-27b") == 256
    assert media_of("my own model", folder=folder_pictures(tmp_path)).picture(9, 9).certainty is Certainty.UNKNOWN
    assert folder_pictures(tmp_path / "nothing").problems == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "JSON"),
        ("[1]", "is not an object of JSON"),
        ('{"image_processor_type": "Qwen2VLImageProcessor", "patch_size": "big"}', "patch_size"),
        ('{"image_processor_type": "Qwen2VLImageProcessor", "patch_size": 0}', "expected a number above 0, got 0"),
        ('{"image_processor_type": "Qwen2VLImageProcessor", "min_pixels": 9, "max_pixels": 8}', "at most max_pixels"),
    ],
)
def test_a_bad_file_is_a_problem_and_no_rule(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / _PREPROCESSOR).write_text(text)
    found = folder_pictures(tmp_path)
    assert found.rule is None
    assert len(found.problems) == 1
    assert said in found.problems[0]
    assert str(tmp_path) in found.problems[0]
