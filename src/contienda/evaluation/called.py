"""The functions that a user's evaluator calls: compiled with it, and adapted to the size of the board."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from contienda.compiled.jit import njit
from contienda.core.extensions import users_own

__all__ = ["compile_what_it_calls", "for_size"]


def for_size(function: Any, sized: Mapping[Any, Any]) -> Any:
    """Return a copy of a user's function that calls the helpers for another size of board (`Game.sized_helpers`)."""
    return _copied(function, sized, {})


def _copied(function: Any, sized: Mapping[Any, Any], made: dict[Any, Any]) -> Any:
    """Return a copy of a user's function that calls the helpers for another size of board (`Game.sized_helpers`)."""
    plain = getattr(function, "py_func", function)
    if plain in made:
        return made[plain]
    names = dict(plain.__globals__)
    copy = made[plain] = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
    copy.__module__, copy.__doc__ = plain.__module__, plain.__doc__
    for name in plain.__code__.co_names:
        held = names.get(name)
        if isinstance(held, ModuleType):
            names[name] = _module_copied(held, sized, made)
        elif held is not None:
            names[name] = _swapped(held, sized, made)
    return copy


def _swapped(held: Any, sized: Mapping[Any, Any], made: dict[Any, Any]) -> Any:
    plain = getattr(held, "py_func", held)
    if not inspect.isfunction(plain):
        return held
    for usual, own in sized.items():
        if held is usual:
            return own
    return _copied(held, sized, made) if users_own(Path(plain.__code__.co_filename)) else held


def _module_copied(module: ModuleType, sized: Mapping[Any, Any], made: dict[Any, Any]) -> ModuleType:
    if not (any(each is usual for each in vars(module).values() for usual in sized) or _is_users(module)):
        return module
    copy = ModuleType(f"sized {module.__name__}")  # user code is identified by its content, not by its version
    vars(copy).update({name: _swapped(held, sized, made) for name, held in vars(module).items()})
    return copy


def _is_users(module: ModuleType) -> bool:
    return users_own(Path(getattr(module, "__file__", None) or __file__))


def compile_what_it_calls(function: Callable[..., Any]) -> None:
    """Mark the user's plain functions that a function refers to for compilation, as ``@njit`` would.

    They may be in the same file or in another module of the user: ``part(x)``, ``helpers.part(x)``.
    """
    names = function.__code__.co_names
    places = [function.__globals__]
    for name in names:
        module = function.__globals__.get(name)
        if isinstance(module, ModuleType) and _is_users(module):
            places.append(vars(module))
    for place in places:
        for name in names:
            called = place.get(name)
            if inspect.isfunction(called) and users_own(Path(called.__code__.co_filename)):
                place[name] = njit(called)
                compile_what_it_calls(called)
