"""Listings of models inside installed packages: litellm's price table, else the data of genai-prices."""

from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from inspector.reading.files import read_text
from inspector.reading.values import UnreadableError
from inspector.tokens.models.genai_prices import providers_in
from inspector.tokens.models.listed import GENAI_PRICES, LITELLM, Listing, ListingError
from inspector.tokens.models.listing import listing_of, read_listing

_FILES = {LITELLM: "litellm/model_prices_and_context_window_backup.json", GENAI_PRICES: "genai_prices/data.py"}


@dataclass(frozen=True, slots=True)
class Installed:
    """A listing inside an installed package: its name, its version, and its file."""

    package: str
    version: str
    file: Path


def installed_listing() -> Installed | None:
    """Return the listing of the first package that is installed beside this program; None if none of them is."""
    for package, file in _FILES.items():
        try:
            found = metadata.distribution(package)
        except metadata.PackageNotFoundError:
            continue
        path = Path(str(found.locate_file(file)))
        if path.is_file():
            return Installed(package, found.version, path)
    return None


def read_any_listing(path: Path) -> Listing:
    """Return the models of a listing file, JSON or the Python source of genai-prices, which is not run.

    Raises ListingError for any other file and for an unreadable one.
    """
    if path.suffix != ".py":
        return read_listing(path)
    try:
        return listing_of(providers_in(read_text(path), str(path)), str(path))
    except UnreadableError as error:
        raise ListingError(str(error)) from None
