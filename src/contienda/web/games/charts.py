"""A game as curves: its score and an evaluator's value, ply by ply."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable

from contienda.core.evaluator import CompiledEvaluator
from contienda.core.game import Game
from contienda.web.games.reader import Reader
from contienda.web.games.shapes import Chart
from contienda.web.games.table import Table

__all__ = ["Charts"]

#: Charts that are remembered, about 10 kB each.
_CHARTS = 200


class Charts:
    """The charts of all browsers' games. The most recent are cached."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._charts: OrderedDict[Hashable, Chart] = OrderedDict()

    def chart(
        self, client: str, game_id: str, points: int, evaluator_of: Callable[[Game], CompiledEvaluator], name: str
    ) -> Chart:
        """Return the score and an evaluator's value at ``points`` plies of a game, including the first and the last.

        Only these plies are read. A chart is cached by its game's revision and the ``name`` of its evaluator.
        """
        reader = self._reader
        row = reader.game(client, game_id)
        key = (row.id, row.revision, name, points)
        if (known := self._charts.get(key)) is not None:
            return known
        table = Table(row, None)
        evaluator = evaluator_of(table.game)
        count = min(points, row.length + 1)
        chosen = sorted({round(i * row.length / max(count - 1, 1)) for i in range(count)})
        with reader.as_it_stands():
            now = reader.game(client, game_id)
            found = reader.states(game_id, [ply for ply in chosen[1:] if ply <= now.length])
        states = [table.start, *(table.as_state(state) for state in found)]
        values: list[float | None] = []
        for state in states:
            # As the first player sees it, whichever side is to move.
            value = float(evaluator.evaluate(state, evaluator.weights))
            values.append(value if math.isfinite(value) else None)
        outcomes = [table.game.outcome(state) for state in states]
        scores = [outcome["score"] for outcome in outcomes] if "score" in outcomes[0] else None
        chart = Chart(plies=chosen[: len(states)], scores=scores, values=values)
        if now.revision == row.revision:
            self._charts[key] = chart
            while len(self._charts) > _CHARTS:
                self._charts.popitem(last=False)
        return chart
