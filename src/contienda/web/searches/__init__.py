"""What the computer does for a user: hints, moves, traces, paths, batches of games.

players     players within the server's limits, compiled once
heuristics  evaluators that users write in the browser
checked     their check, done in a worker process
confined    the work on them in confined processes, when others can reach the server
analyst     starts each kind of search in its queue
traces      traces, written in a worker process
batches     batches of games, played in worker processes
live        the WebSocket on which searches run and are cancelled
"""
