"""nneonneo's 2048 AI as an engine: its shared library has find_best_move(board), four bits a cell, top left lowest.

contienda play 2048 --player "engine:cmd=python examples/engines/nneonneo.py bin/2048.so"
"""

import ctypes
import sys

ai = ctypes.CDLL(sys.argv[1])
ai.init_tables()
ai.find_best_move.argtypes = [ctypes.c_uint64]
for command, _, rest in (line.strip().partition(" ") for line in sys.stdin):
    if command == "contienda":
        print("contienda 1 nneonneo", flush=True)
    elif command == "game":
        print("ready" if rest.partition(":target")[0] == "2048" else "error it plays 2048, 4 x 4", flush=True)
    elif command == "position":
        tiles = [int(tile) for tile in rest.partition(" score ")[0].replace("/", " ").split()]
        board = sum(max(tile.bit_length() - 1, 0) << 4 * cell for cell, tile in enumerate(tiles))
    elif command == "go":
        print("bestmove", ("up", "down", "left", "right")[ai.find_best_move(board)], flush=True)
    elif command == "quit":
        break
