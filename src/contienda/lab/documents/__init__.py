"""The experiments of the five source documents, as described there, with the published figures.

One file for each document; the published tables are in ``published/``, one CSV file for each.
"""

from __future__ import annotations

from contienda.lab.documents.description import Document
from contienda.lab.documents.ort import ORT
from contienda.lab.documents.uc3m import UC3M
from contienda.lab.documents.uja import UJA
from contienda.lab.documents.uma import UMA
from contienda.lab.documents.unicen import UNICEN
from contienda.lab.plan import Plan

__all__ = ["DOCUMENTS", "TIMED", "document_labels"]

#: The documents by name.
DOCUMENTS: dict[str, Document] = {"uc3m": UC3M, "unicen": UNICEN, "uja": UJA, "uma": UMA, "ort": ORT}
#: The metrics that depend on the machine.
TIMED = frozenset(("seconds", "ms_per_move"))


def document_labels(plan: Plan) -> dict[str, str]:
    """Return the document's names for the players of its plan; nothing for any other plan."""
    experiments = [e for each in DOCUMENTS.values() for quick in (False, True) for e in each.experiments(quick)]
    own = next((experiment for experiment in experiments if experiment.plan == plan), None)
    return {} if own is None else {line.played_by: line.label for line in own.published}
