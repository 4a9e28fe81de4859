"""Who gives up a place when all are taken: a browser may invent others, but it cannot invent that they came earlier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

__all__ = ["who_yields"]


def who_yields(client: str, running: Sequence[str], came: Callable[[str], float]) -> str | None:
    """Return the browser that gives up one of its places to this one, which has none; None if none does.

    A browser with several places comes first, then the one that came last, unless it is this one. ``running``: the
    owner of each place.
    ``came(browser)`` grows with the time of its first game here; infinite if it has never played.
    """
    owner, places = Counter(running).most_common(1)[0]
    if places > 1:
        return owner
    last = max(reversed(running), key=came)
    return last if came(last) > came(client) else None
