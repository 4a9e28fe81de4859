"""The documents' experiments that come with the package: ordinary results files, packed.

Each says which code played its games, when, and on what machine (`origin_of`). To play them again and pack them:

    contienda lab reproduce all --out DIR
    python -m contienda.lab.shipped DIR
"""

from __future__ import annotations

import lzma
import sys
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from contienda.core.files import write_atomically
from contienda.core.language import BadInput
from contienda.lab.documents import DOCUMENTS
from contienda.lab.documents.description import DocumentExperiment
from contienda.lab.plan import Plan
from contienda.lab.results import Results

__all__ = ["Origin", "origin_of", "pack_results", "shipped"]

_FOLDER = "reproduced"


class Origin(NamedTuple):
    """Where results come from."""

    contienda: str
    """The versions, and in ``code`` the hashes of the code, that played these games (`contienda.lab.played_by`)."""
    code: str
    machine: str
    cores: int
    begun: float
    """Seconds since 1970."""
    ended: float | None
    """None if the last run was not finished."""


def shipped(plan: Plan) -> Results | None:
    """Return the package's results of a plan; None if there are none, or they belong to another plan."""
    data = _unpacked(plan.name)
    if data is None:
        return None
    try:
        results = Results.from_bytes(data, Path(f"{plan.name}.sqlite"))
    except BadInput:
        return None
    if results.plan != plan:
        results.close()
        return None
    return results


@lru_cache(maxsize=16)
def _unpacked(name: str) -> bytes | None:
    file = files("contienda.lab") / _FOLDER / f"{name}.sqlite.xz"
    return lzma.decompress(file.read_bytes()) if file.is_file() else None


def origin_of(*results: Results) -> Origin | None:
    """Return the code and the machine that played these games; None if there are none."""
    runs = sorted((run for each in results for run in each.runs_of_games()), key=lambda run: float(run["begun"]))
    if not runs:
        return None
    versions, codes, machines = (
        ", ".join(dict.fromkeys(run[key] for run in runs)) for key in ("contienda", "code", "machine")
    )
    return Origin(versions, codes, machines, runs[-1]["cores"], runs[0]["begun"], runs[-1]["ended"])


def pack_results(folder: Path, to: Path) -> list[Path]:
    """Pack the results of all documents in a folder; return the files written."""
    return [
        path
        for document in DOCUMENTS.values()
        for each in document.experiments(False)
        for path in _packed(each, folder, to)
    ]


def _packed(experiment: DocumentExperiment, folder: Path, to: Path) -> list[Path]:
    written = []
    for plan in experiment.plans:
        kept = folder / f"{plan.name}.sqlite"
        if kept.is_file():
            results = Results(kept, plan)
            path = to / f"{plan.name}.sqlite.xz"
            write_atomically(path, lzma.compress(results.compact(), preset=9 | lzma.PRESET_EXTREME))
            results.close()
            written.append(path)
    return written


if __name__ == "__main__":
    for path in pack_results(Path(sys.argv[1]), Path(__file__).parent / _FOLDER):
        print(path.name, path.stat().st_size)
