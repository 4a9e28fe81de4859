"""The helpers of 2048 (`contienda.games.g2048.helpers`) where users' heuristics have always imported them from.

Heuristics are saved, and kept in the results of experiments: what they import stays.
"""

from __future__ import annotations

from contienda.games.g2048.helpers import *  # noqa: F403
