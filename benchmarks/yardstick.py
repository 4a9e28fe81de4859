"""The C++ yardstick: a plain expectimax for 2048, compiled here and run on a file of boards.

``PROGRAM boards.txt DEPTH`` prints for each board the values of up, right, down, left ("-" if illegal), then one line
of JSON with its evaluations and the seconds of the search alone.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

__all__ = ["Measured", "compile_yardstick", "run_yardstick"]


class Measured(NamedTuple):
    """What a run over the boards found and cost."""

    values: list[list[float]]
    """For each board the value of each action, NaN where there is none."""
    evaluations: int
    seconds: float


def compile_yardstick(source: Path, folder: Path) -> Path | str:
    """The program, or why there is none."""
    if not source.is_file():
        return f"no yardstick at {source}"
    if shutil.which("g++") is None:
        return "no g++ to compile the yardstick"
    program = folder / "yardstick"
    done = subprocess.run(
        ["g++", "-O3", "-march=native", str(source), "-o", str(program)], capture_output=True, text=True, check=False
    )
    return program if done.returncode == 0 else f"the yardstick does not compile: {done.stderr.splitlines()[0]}"


def run_yardstick(program: Path, boards: Path, depth: int) -> Measured:
    """Search every board of the file."""
    output = subprocess.run([program, boards, str(depth)], capture_output=True, text=True, check=True).stdout
    *lines, summary = output.splitlines()
    values = [[math.nan if word == "-" else float(word) for word in line.split()] for line in lines]
    cost = json.loads(summary)
    return Measured(values, cost["evaluations"], cost["seconds"])
