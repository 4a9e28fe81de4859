"""Pons' Connect 4 solver as an engine. It reads the columns played and writes the score of each column, with -a:

$ echo 4453 | ./c4solver -a
4453 -2 -1 0 18 ...          full columns are -1000

contienda play connect4 --opponent "engine:cmd=python examples/engines/pons.py ./c4solver -a,timeout=600"
"""

import subprocess
import sys

solver = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for command, _, rest in (line.strip().partition(" ") for line in sys.stdin):
    if command == "contienda":
        print("contienda 1 Pons", flush=True)
    elif command == "game":
        print("ready" if rest == "connect4" else "error it plays connect4, 6 x 7", flush=True)
    elif command == "position":
        played = rest
    elif command == "go":
        print(played, file=solver.stdin, flush=True)
        scores = list(map(int, solver.stdout.readline().split()[-7:]))
        best = max(range(7), key=scores.__getitem__)
        print(f"info value {scores[best]}\nbestmove {best + 1}", flush=True)
    elif command == "quit":
        break
solver.kill()
