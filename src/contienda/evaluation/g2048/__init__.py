"""N-tuple networks of 2048: their layout, their files, and their values as an evaluator.

Networks of games for two are in `contienda.evaluation.cell_network`.
"""
