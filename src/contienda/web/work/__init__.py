"""Long work, done so that nobody else waits for it.

queue       threads, with a fair turn for each address and each browser
processes   worker processes for work that would hold the GIL
remote      an object that lives in its own process
sandbox     confined processes for what pupils wrote
compiler    a process that compiles; the server loads the code it leaves in the cache
rehearsals  what that process is asked to run
warming     what users ask for first, compiled in advance
"""
