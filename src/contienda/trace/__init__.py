"""Traces: the search that chose a move, recorded as a tree that you can step through.

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
| size | how large a trace may be |
| model | nodes, steps, the trace |
| names, telling | a step in words, and what it changes on the drawing |
| pseudocode | the algorithm line by line, and the lines that a step runs |
| drawing, layout | the positions of the nodes |
| bundle | the app's explorer in one piece, for html |
| text, svg, html, json | the output formats |

The JSON (`Trace.as_data`, ``contienda trace … -o tree.json``) is described in docs/en/formats.md.
"""

from contienda.trace.model import Step, Trace, TraceNode

__all__ = ["Step", "Trace", "TraceNode"]
