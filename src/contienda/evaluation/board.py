"""The former place of the helpers of 2048, now in `contienda.games.g2048.helpers`.

Saved heuristics, and those stored in old results, still import them from here.
"""

from __future__ import annotations

from contienda.games.g2048.helpers import *  # noqa: F403
