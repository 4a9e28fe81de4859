"""Python's own parser, for many threads at once."""

from __future__ import annotations

import ast
import threading

__all__ = ["parse_expression", "parse_python"]

#: Until Python 3.12 two threads that build syntax trees at once disturb each other: one of them gets a SystemError
#: ("AST constructor recursion depth mismatch", CPython issue 106905).
_parsing = threading.Lock()


def parse_python(text: str | bytes, filename: str = "<unknown>") -> ast.Module:
    """The syntax tree of a source; `SyntaxError` or `ValueError` where it is no Python."""
    with _parsing:
        return ast.parse(text, filename)


def parse_expression(text: str) -> ast.expr:
    """The syntax tree of an expression."""
    with _parsing:
        return ast.parse(text, mode="eval").body
