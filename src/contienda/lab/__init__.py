"""The lab: experiments that you can trust.

plan        what is to be played: games, players, seeds; plan_file reads it from TOML
results     what was played: one SQLite file, a row for each game as it ends
run         plays the games that are missing, and only those
where       on threads, processes or a cluster
table       the games as one table, from which all the rest is made
statistics  means with their intervals, paired differences, the frontier of quality and time
figures     charts from tables; report: one page of all; sensitivity, tune: what weights do, and better ones
documents   the source documents' experiments; reproduce: their published figures beside ours
"""
