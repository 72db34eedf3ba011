"""Every public method has a docstring unless it overrides a method of a base class."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

import inspector
from inspector.derived import cached_property

_PACKAGE = Path(inspector.__file__).parent


def _classes(owner: type | object, module: str) -> Iterator[type]:
    """The public classes that a module defines at its top or inside of such classes."""
    for name, value in vars(owner).items():
        if isinstance(value, type) and value.__module__ == module and value.__name__ == name and name[0] != "_":
            yield value
            yield from _classes(value, module)


def _code(value: object) -> CodeType | None:
    """The code of a method or of a property's getter; None for anything else."""
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, cached_property):
        value = value.func
    elif isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    inner = inspect.unwrap(value) if callable(value) else value
    return inner.__code__ if isinstance(inner, FunctionType) else None


def _undocumented(described: type) -> Iterator[str]:
    """The methods without a docstring whose names no base class has, as `file:line Class.method`."""
    known = {name for base in described.__mro__[1:] for name in vars(base)}
    known |= vars(described).get("__annotations__", {}).keys()  # fields whose default is a function
    for name, value in vars(described).items():
        code = _code(value)
        if (name[0] == "_" and name != "__call__") or name in known or code is None or (value.__doc__ or "").strip():
            continue
        path = Path(code.co_filename)
        if path.is_relative_to(_PACKAGE):  # generated methods are in no file
            place = path.relative_to(_PACKAGE.parent).as_posix()
            yield f"{place}:{code.co_firstlineno} {described.__qualname__}.{name}"


def test_every_public_method_that_overrides_none_has_a_docstring() -> None:
    names = [found.name for found in pkgutil.walk_packages(inspector.__path__, "inspector.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith(".__main__")]
    classes = [each for module in modules for each in _classes(module, module.__name__)]
    assert len(classes) > 500
    missing = [line for each in classes for line in _undocumented(each)]
    assert not missing, "public methods without a docstring:\n" + "\n".join(missing)
