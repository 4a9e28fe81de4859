"""The one door to Polars, which comes with the extra ``lab``: without it, one line says how to install it."""

from __future__ import annotations

from contienda.core.extras import MissingExtra

try:
    import polars as pl
except ModuleNotFoundError:
    raise MissingExtra(
        "the lab needs Polars, SciPy, Altair, vl-convert and cma: pip install 'contienda[lab]'"
    ) from None

__all__ = ["pl"]
