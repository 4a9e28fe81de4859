"""Traces: the search that chose a move, recorded as a tree that you can step through.

    >>> from contienda import trace
    >>> found = trace("tree", "max[min[3 12 8] min[2 4 6] min[14 5 2]]", "alphabeta")
    >>> found.value, found.counters.nodes
    (3.0, 11)

The package itself is the function, so that one name serves both. `make_trace` does the same for an existing player:

    >>> from contienda import make_game, make_player, make_trace
    >>> game = make_game("tree", "alphabeta")
    >>> trace = make_trace(make_player("alphabeta", game), "alphabeta")
    >>> trace.value, trace.counters.nodes, trace.nodes[5].cut.reason.into("en")
    (3.0, 11, 'α cut: with 1 MIN makes this 2 at most, and MAX already has 3 with 1 at the root: ...')

The search that plays runs with recording hooks. A log holds what they report; events that do not fit are only counted.

| file | subject |
|---|---|
| searches, sampling, solving | record the search of a player or a path search, and put the trace together |
| tree, playouts, path | turn a log into nodes and steps, one file for each family of searches |
| growth | how the visits of the moves grow with the simulations |
| size | how large a trace may be |
| model | nodes, steps, the trace |
| names, telling, why | a step in words, and what it changes on the drawing; why a node has its value |
| refuting | why not another move: the loss, and the line that shows it |
| pseudocode | the algorithm line by line, and the lines that a step runs |
| drawing, layout | the positions of the nodes |
| bundle | the app's explorer in one piece, for html |
| text, svg, html, json | the output formats |

The JSON (`Trace.as_data`, ``contienda trace … -o tree.json``) is described in docs/en/formats.md.
"""

import sys
from types import ModuleType

from contienda.trace.model import Step, Trace, TraceNode

__all__ = ["Step", "Trace", "TraceNode"]


class _Callable(ModuleType):
    """This package: ``trace(game, position, player)`` records a search."""

    def __call__(self, game: str, position: str | None = None, player: str | None = None, *, seed: int = 0) -> Trace:
        from contienda.trace.making import trace_position

        return trace_position(game, position, player, seed)


sys.modules[__name__].__class__ = _Callable
