"""Writes the glossary for the app's help from the tables of docs/en/glossary.md and docs/es/glosario.md.

``python docs/glossary.py`` writes src/contienda/web/static/glossary.json, which the package carries; a test says when
it is out of date. The tables are the source.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

__all__ = ["GLOSSARY", "TABLES", "entries", "read_table", "written"]

ROOT = Path(__file__).resolve().parents[1]
#: The table of each language: its own word first, then that of the other.
TABLES = {"en": ROOT / "docs" / "en" / "glossary.md", "es": ROOT / "docs" / "es" / "glosario.md"}
GLOSSARY = ROOT / "src" / "contienda" / "web" / "static" / "glossary.json"


def read_table(language: str) -> dict[tuple[str, str], str]:
    """Return what each idea means in a language, by its words in English and Spanish."""
    found = {}
    for line in TABLES[language].read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 4 or set(cells[0]) <= {"-"} or cells[0] in ("English", "Español"):
            continue
        own, other, meaning, _ = (cell.replace("\\", "").replace("`", "") for cell in cells)
        found[(own, other) if language == "en" else (other, own)] = meaning
    return found


def entries() -> list[dict[str, object]]:
    """Return the ideas that both tables have, with their words and meanings; English names them for the app."""
    english, spanish = read_table("en"), read_table("es")
    if english.keys() != spanish.keys():
        apart = sorted(english.keys() ^ spanish.keys())
        raise SystemExit(f"only one of the two glossaries has: {apart}")
    return [
        {
            "name": words[0],
            "word": {"en": words[0], "es": words[1]},
            "meaning": {"en": meaning, "es": spanish[words]},
        }
        for words, meaning in english.items()
    ]


def written() -> str:
    """Return the file as it should be."""
    return json.dumps(entries(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    GLOSSARY.write_text(written(), encoding="utf-8")
    print(f"{GLOSSARY}: {len(entries())} entries")
