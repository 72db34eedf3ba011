"""Pictures of open models, as the image processors of their makers cut them.

Sources, by class: huggingface/transformers, models/<name>/image_processing_<name>.py, and mistralai/mistral-common,
tokens/tokenizers/image.py. Servers (vLLM, llama.cpp, Ollama) may set other limits.
"""

from dataclasses import dataclass
from math import ceil, floor, sqrt

from inspector.tokens.certainty import Cost, by_rule, unknown
from inspector.tokens.media.rules import Pixels, side_by_side, times

_LONGEST_SHAPE = 200
"""A longer side of more than so many times the shorter one is refused by Qwen's and GLM's processors."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Qwen-VL and GLM-V: sides to the nearest multiple of a cell, the area between a least and a most of pixels.

    `least` and `most` are in pixels of one picture. `enlarges`: pictures smaller than a cell are enlarged first, as
    GLM's processor does. Source: models/qwen2_vl and models/glm4v.
    """

    cell: int
    least: int
    most: int
    enlarges: bool = False

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost; the levels are settings of the processor."""
        width, height = self._enlarged(size)
        if not min(width, height) or max(width, height) / min(width, height) > _LONGEST_SHAPE:
            by = f"the processor refuses a side of more than {_LONGEST_SHAPE} times the other"
            return unknown(by, *self.bounds(detail))
        across, down = self._grid(width, height)
        return by_rule(across * down, f"{side_by_side((across, down))} cells of {self.cell} pixels")

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return the cells of the least and of the most pixels."""
        return max(1, ceil(self.least / self.cell**2)), max(1, self.most // self.cell**2)

    def _enlarged(self, size: Pixels) -> Pixels:
        if not self.enlarges or min(size) >= self.cell:
            return size
        scale = max(self.cell / size[1], self.cell / size[0])
        return int(size[0] * scale), int(size[1] * scale)

    def _grid(self, width: int, height: int) -> Pixels:
        cell = self.cell
        across, down = round(width / cell), round(height / cell)
        area = across * down * cell**2
        if area > self.most:
            shrink = sqrt(width * height / self.most)
            return max(1, floor(width / shrink / cell)), max(1, floor(height / shrink / cell))
        if area < self.least:
            grow = sqrt(self.least / (width * height))
            return ceil(width * grow / cell), ceil(height * grow / cell)
        return across, down


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same number of tokens for a picture of any size: Gemma 3, Llama 3.2."""

    tokens: int
    why: str

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost."""
        return by_rule(self.tokens, self.why)

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return the number twice."""
        return self.tokens, self.tokens


@dataclass(frozen=True, slots=True)
class MarkedRows:
    """Pixtral and Mistral Small: cells within a longest side, and a mark at the end of each row.

    Source: mistral-common, and models/pixtral.
    """

    cell: int
    side: int

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost with the marks of the rows, the last of which ends the picture."""
        width, height = size
        shrink = max(width / self.side, height / self.side)
        if shrink > 1:
            width, height = max(1, round(width / shrink)), max(1, round(height / shrink))
        across, down = -(-width // self.cell), -(-height // self.cell)
        by = f"{side_by_side((across, down))} cells of {self.cell} pixels and {times(down, 'mark')} of rows"
        return by_rule((across + 1) * down, by)

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return one cell with its mark, and the longest side squared."""
        most = -(-self.side // self.cell)
        return 2, (most + 1) * most


@dataclass(frozen=True, slots=True)
class BestGrid:
    """InternVL: the grid of tiles nearest in shape, and a thumbnail if there is more than one tile.

    Source: models/got_ocr2, which InternVL's processor is.
    """

    tile: int = 448
    least: int = 1
    most: int = 12
    each: int = 256

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost."""
        across, down = self._grid(size)
        tiles = across * down
        beside = " and a thumbnail" if tiles > 1 else ""
        by = f"{side_by_side((across, down))} tiles{beside}, {self.each:,} each"
        return by_rule((tiles + (tiles > 1)) * self.each, by)

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return the least and the most tiles, each with its thumbnail."""
        least, most = (tiles + (tiles > 1) for tiles in (self.least, self.most))
        return least * self.each, most * self.each

    def _grid(self, size: Pixels) -> Pixels:
        """Return the grid nearest in shape; of equally near ones a larger one while the picture is over half of it."""
        width, height = size
        best, best_off = (1, 1), float("inf")
        for across, down in self._grids():
            off = abs(width / height - across / down)
            fills = width * height > 0.5 * self.tile**2 * across * down
            if off < best_off or (off == best_off and fills):
                best, best_off = (across, down), off
        return best

    def _grids(self) -> list[Pixels]:
        sides = range(1, self.most + 1)
        grids = [(across, down) for across in sides for down in sides if self.least <= across * down <= self.most]
        return sorted(grids, key=lambda grid: grid[0] * grid[1])


@dataclass(frozen=True, slots=True)
class Canvas:
    """Llama 4: the canvas of tiles that needs the least scaling, a mark behind each, and the whole picture.

    Source: models/llama4, image_processing_llama4.py and processing_llama4.py.
    """

    tile: int = 336
    most: int = 16
    each: int = 144

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost."""
        across, down = self._canvas(size)
        tiles = across * down
        if tiles == 1:
            return by_rule(self.each + 1, f"1 tile of {self.each} and its mark")
        by = f"{side_by_side((across, down))} tiles and the whole, {self.each} and a mark each"
        return by_rule((tiles + 1) * (self.each + 1), by)

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return one tile, and the most tiles with the whole."""
        return self.each + 1, (self.most + 1) * (self.each + 1)

    def _canvas(self, size: Pixels) -> Pixels:
        """Return the canvas of the least enlargement, else of the least shrinking; of several the smallest."""
        sides = range(1, self.most + 1)
        canvases = [(across, down) for across in sides for down in sides if across * down <= self.most]
        scales = {(a, d): min(a * self.tile / size[0], d * self.tile / size[1]) for a, d in canvases}
        enlarged = [scale for scale in scales.values() if scale >= 1]
        wanted = min(enlarged) if enlarged else max(scales.values())
        return min((each for each in canvases if scales[each] == wanted), key=lambda each: each[0] * each[1])
