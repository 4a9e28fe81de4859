"""The path searches, one file each, and the signature that they share.

``build_NAME(rules, order, …, hooks, jit)`` returns a function

    search(initial, weights, nodes, tally, log) -> a node, or why there is none

- ``rules`` is a `contienda.problems.ProblemRules`, ``order`` the actions in the order in which they are tried.
- ``heuristic(state, steps, weights)`` estimates the cost from a node to the goal; ``weights`` is a record passed to it.
- ``nodes`` is a node store (`contienda.search.path.nodes`): all the memory that the search uses. It holds the path,
  from the goal backwards, and the searched tree. ``nodes.marks.aim`` is the problem's aim.
- ``tally`` counts (`new_tally`): ``nodes`` are the generated states without the initial one, as unicen counts them;
  ``hits`` are the states met again, ``cutoffs`` the pruned nodes. When ``tally.nodes`` reaches ``tally.budget`` the
  search stops.
- ``hooks`` and ``log`` record the search (`contienda.search.path.hooks`).
- ``graph`` keeps a table of the generated states, for problems in which several paths lead to the same state.

No search here recurses along the path, which may have thousands of steps. `contienda.search.path.steps` holds what they
share.

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
