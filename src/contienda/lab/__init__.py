"""The lab: experiments that can be trusted.

plan        what is to be played: games, players, seeds; a TOML file or a Python object
results     what was played: one SQLite file, a row for each game as it ends
run         plays the games that are missing, and only those
where       on threads, processes or a cluster
statistics  means with their intervals, paired differences, the frontier of quality and time
"""
