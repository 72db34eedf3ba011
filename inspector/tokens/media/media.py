"""What a picture, a document, sound or film costs a model, by the rules of its family or of its own folder."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inspector.tokens.certainty import Cost, by_rule, unknown
from inspector.tokens.media.families import Family, family_of
from inspector.tokens.media.rules import LETTER, PageRule, PictureRule, Points, TimeRule

if TYPE_CHECKING:
    from inspector.tokens.media.folder import FolderPictures

_LEVEL_PREFIX = "media_resolution_"


@dataclass(frozen=True, slots=True)
class Media:
    """The rules of a model for media; a thing without a rule costs an unknown number of tokens.

    `beside` is the tokens of the marks that the chat template writes around a picture, which `picture` leaves out.
    """

    model: str
    picture_rule: PictureRule | None = None
    beside: int = 0
    page_rule: PageRule | None = None
    sound_rule: TimeRule | None = None
    film_rule: TimeRule | None = None

    def picture(self, width: int | None, height: int | None, detail: str = "") -> Cost:
        """Return the cost of a picture of so many pixels; None is an unknown size.

        `detail` is the level asked for, as the API names it: high, original, MEDIA_RESOLUTION_LOW; "" for none.
        """
        rule, level = self.picture_rule, _level(detail)
        if rule is None:
            return self._unruled("pictures")
        if width is not None and height is not None and width > 0 and height > 0:
            return rule.cost((width, height), level)
        low, high = rule.bounds(level)
        if low == high:
            return by_rule(low, f"{low:,} for a picture of any size")
        return unknown(f"a picture of unknown size: {low:,} to {high:,}", low, high)

    def document(self, pages: int | None, page: Points | None = None, text: int | None = None) -> Cost:
        """Return the cost of a document with pages, such as PDF.

        `page` is the width and height of a page in points, US letter if None; `text` is the tokens of its text, None
        if unknown.
        """
        if self.page_rule is None:
            return self._unruled("documents with pages")
        if pages is None or pages <= 0:
            return unknown("a document with an unknown number of pages")
        known = page is not None and page[0] > 0 and page[1] > 0
        return self.page_rule.cost(pages, page if known and page is not None else LETTER, text)

    def sound(self, seconds: float | None) -> Cost:
        """Return the cost of so many seconds of sound; None is an unknown length."""
        return self._timed(self.sound_rule, seconds, "sound")

    def film(self, seconds: float | None) -> Cost:
        """Return the cost of so many seconds of film with its sound, at one frame a second."""
        return self._timed(self.film_rule, seconds, "film")

    def _timed(self, rule: TimeRule | None, seconds: float | None, thing: str) -> Cost:
        if rule is None:
            return self._unruled(thing)
        if seconds is None or not 0 < seconds < float("inf"):
            return unknown(f"{thing} of unknown length")
        return rule.cost(seconds)

    def _unruled(self, thing: str) -> Cost:
        return unknown(f"no rule is known for {thing} of {self.model or 'this model'}")


def media_of(model: str, maker: str = "", folder: "FolderPictures | None" = None) -> Media:
    """Return the rules for a model, by its name and maker in the model table; for pictures, those of its folder first.

    A model of no family here has no rules but those of its folder.
    """
    media = _media(model, family_of(model, maker))
    if folder is None or folder.rule is None:
        return media
    return replace(media, picture_rule=folder.rule, beside=folder.beside)


def _media(model: str, family: Family | None) -> Media:
    if family is None:
        return Media(model)
    return Media(model, family.picture, family.beside, family.pages, family.sound, family.film)


def _level(detail: str) -> str:
    return detail.strip().casefold().replace("-", "_").removeprefix(_LEVEL_PREFIX)
