"""Learns the weights of n-tuple networks (`contienda.evaluation.g2048.ntuple`) for 2048 by playing. One idea per file.

- `selfplay` plays a game by the network's own values, and records it
- `returns`: the target value of each board of that game, TD(0) to TD(λ), from the end backwards
- `step`: by how much each weight changes: TD, with one rate for all; TC, with a rate for each weight
- `optimistic`: initial weights that are high, so that untried moves look good
- `promotion`: the weights of a new stage begin with those of the stage before
- `growth`: a trained network gets more tuples
- `restart`: games are played again from their middle
- `carousel`: games start in mid-game, so that late positions are seen as often as early ones
- `annealing`: the rate falls in steps towards the end of a run
- `training` puts them together, on threads that share the weights, and saves them; `plan` is its configuration, `curve`
  its results, `saved` reads both from a file

`contienda.evaluation.g2048.quantised` packs a network into the few megabytes that playing needs, without the state of
its training.
"""
