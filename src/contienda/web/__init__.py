"""The app in the browser: a server on this machine, over the same library calls as the command line.

serve       finds a port, opens the browser, runs the server
app         puts everything below together
safety      who may ask: the Host and Origin of a request, a browser's cookie
errors      whatever goes wrong as one line in both languages
shapes      what goes over the wire
store       games in SQLite: every move is on disk before it is answered
games       making games, moving in them, going back
work        searches in threads, each browser in its turn
analysis    hints, moves of the machine, paths, batches of games
totals      how a batch goes
live        the WebSocket on which they run and are cancelled
compiler    another process compiles, and the server loads what it left in the cache; rehearsals: what it is told
warming     what is asked for first, compiled beforehand
heuristics  evaluators that users write in the browser
lab         experiments that go on by themselves; lab_views, lab_documents, lab_figures: as the page shows them;
            drawing: charts become pictures in another process; lab_routes: their addresses
"""
