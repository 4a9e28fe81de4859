"""The app in the browser: a server on this machine, over the same library calls as the command line.

serve      finds a port, opens the browser, runs the server
app        puts everything below together
settings   the server's options and limits
access     who may ask, and how often
work       threads and processes for what takes time
games      the games that people play
searches   hints, moves of the computer, traces, paths, batches of games
training   networks that learn
lab        experiments
catalogue  everything that can be chosen
routes     the routes that belong to none of the packages above
shapes     the bodies of requests and responses
errors     every error as one sentence in every language
pages      the files of the page itself, in ``static``
"""
