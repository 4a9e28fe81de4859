"""Random heuristics for hours: whatever passes the whitelist is compiled and run in a confined process.

    PYTHONPATH=src:tests/attack python tests/attack/fuzz_heuristics.py [--seconds 600] [--seed 1]

Each is called on a few boards, as the app does before it keeps one. Anything but an answer, or a line about arithmetic,
is a finding: a crash, a process that had to be killed, an error of our own. So is an answer that takes too long.
"""

from __future__ import annotations

import argparse
import collections
import tempfile
import time
from functools import partial
from pathlib import Path

from heuristics import Programs

from contienda.compiled.stopping import Stop, in_time
from contienda.core.language import BadInput
from contienda.evaluation.safe import check_for
from contienda.evaluation.safe_words import Refused
from contienda.games import make_game
from contienda.web.searches.confined import try_heuristic
from contienda.web.work.processes import Workshop, begin_confined

#: Seconds that one heuristic may take, compiled and called.
LONGEST = 60.0
#: What the whitelist does not foresee, and the boards show: a division by zero, no number, a cell beyond the edge.
EXPECTED = (
    "ZeroDivisionError",
    "returns NaN",
    "division by zero",
    "math domain error",
    "math range error",
    "there is no cell",
)


def main() -> None:
    """Fuzz for some time; print what was found, and exit with 1 if anything was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    programs, workshop = Programs(asked.seed, wild=0.02), Workshop(apart=True, confined=begin_confined)
    counts: collections.Counter[str] = collections.Counter()
    slowest = 0.0
    end = time.monotonic() + asked.seconds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzzed.safe.py"
        while time.monotonic() < end:
            source = programs.next()
            counts["programs"] += 1
            try:
                check_for(source, make_game("2048"))
            except Refused:
                counts["refused"] += 1
                continue
            path.write_text(source, encoding="utf-8")
            begun, stop = time.monotonic(), Stop()
            work = partial(workshop.do, try_heuristic, str(path), "2048", stop=stop)
            try:
                in_time(work, stop, LONGEST)
                counts["ran"] += 1
            except BadInput as error:
                told = str(error)
                kind = "arithmetic" if any(each in told for each in EXPECTED) else "FOUND"
                counts[kind] += 1
                if kind == "FOUND":
                    print(f"FOUND: {told}\n{source}", flush=True)
            slowest = max(slowest, time.monotonic() - begun)
    workshop.close()
    print(f"{dict(counts)}; the slowest took {slowest:.1f} s to compile and call")
    raise SystemExit(1 if counts["FOUND"] else 0)


if __name__ == "__main__":
    main()
