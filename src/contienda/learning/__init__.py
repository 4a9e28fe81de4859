"""Learning the weights of n-tuple networks (`contienda.evaluation.ntuple`) for 2048 by playing, one idea to a file.

- `selfplay` plays a game by the network's own values, and writes down what it went through
- `returns`: what each board of that game should have been worth, TD(0) to TD(λ), from the end backwards
- `step`: by how much each weight changes: TD, by one rate for all; TC, by a rate of its own
- `optimistic`: weights that begin high, so that what was never tried looks good
- `promotion`: the weights of a new stage begin with those of the stage before
- `growth`: a trained network gets more tuples
- `restart`: games that are played again from their middle
- `carousel`: games that begin in mid-game, so that late positions are seen as often as early ones
- `annealing`: the rate falls in steps towards the end of a run
- `training` puts them together, on threads that share the weights, and keeps them safe; `plan` says what is put
  together, `curve` what came of it, `saved` reads both from a file
- `packing`: the few megabytes of a network that is to be played and not trained on
"""
