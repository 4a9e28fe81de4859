"""The app in the browser: a server on this machine, over the same library calls as the command line.

serve       finds a port, opens the browser, runs the server
app         puts everything below together
connections so many from one address and in all; slow ones are cut off
logs        the log, bounded
safety      who may ask: the Host and Origin of a request
identity    browsers by their signed cookies
rates       how many requests a second
errors      whatever goes wrong as one line in both languages
shapes      what goes over the wire
store       games in SQLite: every move is on disk before it is answered
games       making games, moving in them, going back
work        whatever takes time in threads, each address and browser in its turn
analysis    hints, moves of the machine, paths, batches of games
workshop    processes that do what would hold Python's lock for long; traces, batches: two kinds of such work
totals      how a batch goes
live        the WebSocket on which they run and are cancelled; sockets: how many may be open
compiler    another process compiles, and the server loads what it left in the cache; rehearsals: what it is told
warming     what is asked for first, compiled beforehand
heuristics  evaluators that users write in the browser
lab         experiments that go on by themselves; lab_views, lab_documents, lab_figures: as the page shows them;
            drawing: charts become pictures in another process; lab_routes: their addresses
"""
