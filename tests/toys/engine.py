"""An engine for any game of which it knows nothing: it plays the first free cell of tic-tac-toe, or misbehaves.

``engine.py PIDS MODE``: PIDS is a file to which it appends the numbers of its processes.
"""

import os
import signal
import sys
import time


def note(pids):
    with open(pids, "a") as file:
        file.write(f"{os.getpid()}\n")


def main(pids, mode):
    note(pids)
    if mode == "deaf":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    if mode == "parent" and os.fork() == 0:
        note(pids)
        time.sleep(600)
    if mode == "unread":
        print("contienda 1 toy\nready", flush=True)
        while True:
            print("bestmove 5", flush=True)
            time.sleep(0.001)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "contienda":
            print("hello" if mode == "stranger" else "contienda 1 toy", flush=True)
        elif words[0] == "game":
            print("error I know no such game" if mode == "picky" else "ready", flush=True)
        elif words[0] == "position":
            board = words[1]
        elif words[0] == "go":
            free = [str(place + 1) for place, cell in enumerate(board.replace("/", "")) if cell == "."]
            if mode in ("silent", "deaf", "parent"):
                time.sleep(600)
            elif mode == "binary":
                sys.stdout.buffer.write(bytes(range(256)) * 20 + b"\n\xff\xfe\n")
                sys.stdout.flush()
                time.sleep(600)
            elif mode == "endless":
                sys.stdout.write("x" * 3_000_000)
                sys.stdout.flush()
                time.sleep(600)
            elif mode == "flood":
                while True:
                    print("info depth 1", flush=False)
            elif mode == "late":
                time.sleep(1.5)
                print("bestmove", free[0], flush=True)
            elif mode == "closes":
                os.close(0)
                os.close(1)
                time.sleep(600)
            elif mode == "dies":
                os._exit(7)
            elif mode == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            elif mode == "illegal":
                print("bestmove 77", flush=True)
            elif mode == "wordless":
                print("bestmove", flush=True)
            elif mode == "complains":
                print("error out of coffee", flush=True)
            else:
                print(f"chatter\ninfo depth 3 value 12.5 nodes 99 pv {free[0]}\nbestmove {free[0]}", flush=True)
        elif words[0] == "quit" and mode != "deaf":
            break


if __name__ == "__main__":
    main(*sys.argv[1:3])
