"""The C++ yardstick: a plain expectimax for 2048, compiled here and run on a file of boards.

``PROGRAM boards.txt DEPTH`` prints for each board the values of up, right, down, left ("-" if illegal), then one line
of JSON with its evaluations. Its seconds are those of the processor, as ours are: on a busy machine the wall's clock
measures the others. A run to depth 1 tells how much of them is start-up.
"""

from __future__ import annotations

import json
import math
import resource
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

__all__ = ["SNAKE", "Measured", "compile_yardstick", "run_yardstick"]

#: The heuristic ``snake_or_nothing`` of ``heuristics.py``, to take the place of the yardstick's own.
SNAKE = """
static float evaluate(Board b) {
  double total = 0;
  for (int row = 0; row < 4; ++row)
    for (int step = 0; step < 4; ++step) {
      int column = row % 2 ? 3 - step : step, rank = (b >> 4 * (4 * row + column)) & 15;
      if (rank) total += double(1 << rank) / double(1 << (4 * row + step));
    }
  return total;
}
"""
_EVALUATE = "static float evaluate(Board b)"


class Measured(NamedTuple):
    """What a run over the boards found and cost."""

    values: list[list[float]]
    """For each board the value of each action, NaN where there is none."""
    evaluations: int
    seconds: float


def compile_yardstick(source: Path, folder: Path, evaluate: str = "") -> Path | str:
    """The program, or why there is none; with ``evaluate``, a function in C++, in the place of its own."""
    if not source.is_file():
        return f"no yardstick at {source}"
    if shutil.which("g++") is None:
        return "no g++ to compile the yardstick"
    program = folder / f"yardstick{hash(evaluate)}"
    text = source.read_text()
    if evaluate:
        if _EVALUATE not in text:
            return f"{source} has no {_EVALUATE}"
        text = text.replace(_EVALUATE, f"{evaluate}\n[[maybe_unused]] static float evaluate_lines(Board b)")
    done = subprocess.run(
        ["g++", "-O3", "-march=native", "-x", "c++", "-", "-o", str(program)],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return program if done.returncode == 0 else f"the yardstick does not compile: {done.stderr.splitlines()[0]}"


def run_yardstick(program: Path, boards: Path, depth: int) -> Measured:
    """Search every board of the file."""
    start_up, _ = _run(program, boards, 1)
    seconds, output = _run(program, boards, depth)
    *lines, summary = output.splitlines()
    values = [[math.nan if word == "-" else float(word) for word in line.split()] for line in lines]
    return Measured(values, json.loads(summary)["evaluations"], seconds - start_up)


def _run(program: Path, boards: Path, depth: int) -> tuple[float, str]:
    """The processor's seconds of a run, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    output = subprocess.run([program, boards, str(depth)], capture_output=True, text=True, check=True).stdout
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, output
