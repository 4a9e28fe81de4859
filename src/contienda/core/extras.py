"""What to say when a part of Contienda needs packages that ``pip install contienda`` does not bring."""

from __future__ import annotations

from contienda.core.language import BadInput

__all__ = ["MissingExtra"]


class MissingExtra(BadInput, ImportError):
    """An optional part is not installed: one line that names the command which installs it.

    The command line ends with it, the app answers with it, and ``except ImportError`` catches it.

    >>> raise MissingExtra("the lab needs Polars: pip install 'contienda[lab]'")
    Traceback (most recent call last):
    ...
    contienda.core.extras.MissingExtra: the lab needs Polars: pip install 'contienda[lab]'
    """

    status = 501  # of the app's answer: this server does not have it
