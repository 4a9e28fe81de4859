"""The page in the other language: the two front pages list the same pages in the same order."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["page_in_other"]

_DOCS = Path(__file__).parent
_LISTED = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)


def page_in_other(page: str, language: str) -> str:
    """Return the name of a page in the other language: ``searches`` is ``busquedas``. Generated pages share theirs.

    >>> page_in_other("searches", "en"), page_in_other("documentos/uma", "es"), page_in_other("genindex", "es")
    ('busquedas', 'documents/uma', 'genindex')
    """
    english, spanish = _listed("en"), _listed("es")
    pairs = zip(english, spanish, strict=True) if language == "en" else zip(spanish, english, strict=True)
    return dict(pairs).get(page, page)


def _listed(language: str) -> list[str]:
    """Return the pages that the front page lists."""
    front = (_DOCS / language / "index.md").read_text(encoding="utf-8")
    lines = [line for block in _LISTED.findall(front) for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith(":")]
