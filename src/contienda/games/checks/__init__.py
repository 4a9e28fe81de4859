"""What `contienda.games.check` checks, by subject; a fault is a `ConformanceError`."""

from __future__ import annotations

from typing import NoReturn

from contienda.core.game import State
from contienda.core.language import Text

__all__ = ["ConformanceError", "fail"]


class ConformanceError(AssertionError):
    """A game breaks the contract: which property, in which state, and how."""

    def __init__(self, what: str, text: Text) -> None:
        super().__init__(text.into("en"))
        self.what = what
        self.text = text


def fail(what: str, state: State, fault: Text) -> NoReturn:
    """Raise the fault of a property, with the state that shows it."""
    raise ConformanceError(what, Text("{what}: {fault}, at {state!r}", what=what, fault=fault, state=state))
