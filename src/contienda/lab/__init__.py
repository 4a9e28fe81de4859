"""The lab: experiments that you can trust.

plan        the games, players and seeds of an experiment; plan_file reads it from TOML
results     the games played: one SQLite file, a row for each game as it ends
run         plays the games that are missing, and only those
where       on threads, processes or a cluster
table       the games as one table, from which all the rest is made
statistics  means with their intervals, paired differences, the frontier of quality and time
figures     charts from tables; report: all on one page; sensitivity, tune: the effect of weights, and better ones
documents   the source documents' experiments; reproduce: their published figures beside ours
"""
