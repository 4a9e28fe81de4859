"""Traces: the search that chose a move, recorded, as a tree to look at and to step through.

    >>> from contienda import make_game, make_player, make_trace
    >>> game = make_game("tree", "alphabeta")
    >>> trace = make_trace(make_player("alphabeta", game), "alphabeta")
    >>> trace.value, trace.counters.nodes, trace.nodes[5].cut.reason.into("en")
    (3.0, 11, 'α cut: with 1 MIN makes this 2 at most, and MAX already has 3 with 1 at the root: ...')

The very search that plays runs, built with recording hooks; a log holds what it told, and what does not fit is counted.

| file | subject |
|---|---|
| searches, sampling, solving | record the search of a player or a path search, and put the trace together |
| tree, playouts, path | from a log to nodes and steps, one file for each family of searches |
| size | what is cut short, what is refused |
| model | nodes, steps, the trace |
| names, telling | a step in words, and what it changes on the drawing |
| pseudocode | the algorithm line by line, and the lines that a step runs |
| drawing, layout | where the nodes stand |
| bundle | the app's explorer in one piece, for html |
| text, svg, html, json | what a trace is written as |

The JSON (`Trace.as_data`, ``contienda trace … -o tree.json``) is described in docs/en/formats.md.
"""

from contienda.trace.model import Step, Trace, TraceNode

__all__ = ["Step", "Trace", "TraceNode"]
