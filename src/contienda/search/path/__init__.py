"""The searches for a path, one file each, and the shape that they share.

``build_NAME(rules, order, …, hooks, jit)`` makes a function

    search(initial, weights, nodes, tally, log) -> a node, or why there is none

- ``rules`` is a `contienda.problems.ProblemRules`, ``order`` the actions in the order in which they are tried.
- ``heuristic(state, steps, weights)`` is what a node looks like costing to the goal; ``weights`` a record handed to it.
- ``nodes`` is a node store (`contienda.search.path.nodes`): all memory that the search will ever use. The path stands
  there from the goal backwards, and so does the tree that was searched.
- ``tally`` counts (`new_tally`): ``nodes`` are the states generated, the initial one not counted, as
  unicen counts them; ``hits`` the states met again, ``cutoffs`` the nodes pruned. When ``tally.nodes`` reaches
  ``tally.budget`` the search stops.
- ``hooks`` and ``log`` record the search (`contienda.search.path.hooks`).
- ``graph`` keeps a table of the states that were made, for problems in which several paths lead to the same one.

No search here recurses over the path: it is some thousand steps long.

| file | reference | finds |
|---|---|---|
| best_first | AIMA, fig. 3.7 | the general scheme; with f = h, greedy best-first search |
| astar | Hart, Nilsson and Raphael 1968 | with an admissible h a cheapest path |
| branch_and_bound | Land and Doig 1960; unicen | a path all of whose nodes had a bound good enough |
| breadth_first | AIMA, fig. 3.9 | a path of the fewest steps |
| backtracking | Golomb and Baumert 1965; unicen | some path, in the memory of one |
| look_ahead | unicen's heuristic A | the moves in the order in which they promise |
| ida_star | Korf 1985 | with an admissible h a cheapest path, in the memory of one |
| hill_climbing | AIMA, fig. 4.2 | some path, or the nearest peak |
"""
