"""``contienda exercise check``: what the codes say that students handed in."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from contienda.cli.files import file_to_read
from contienda.core.language import BadInput, Text, number, say
from contienda.exercises.asking import asked
from contienda.exercises.code import HandedIn, read_code
from contienda.exercises.exercise import Exercise

__all__ = ["CheckedCode", "checked", "codes_in", "show_codes", "show_csv"]

#: Bytes of a file of codes: a thousand of the longest are 300 kB.
_LARGEST_FILE = 10_000_000


@dataclass
class CheckedCode:
    """A code, its content, and its fault, if any."""

    code: str
    says: HandedIn | None
    wrong: Text | None = None
    note: Text | None = None

    def as_data(self) -> dict[str, Any]:
        """Return it for JSON and CSV."""
        found = self.says
        data: dict[str, Any] = {"name": "", "exercise": "", "fingerprint": "", "finished": "", "seconds": "",
                                "questions": "", "right": "", "tries": "", "hints": "", "mark": ""}  # fmt: skip
        if found is not None:
            data |= {
                "name": found.name,
                "exercise": found.title,
                "fingerprint": f"{found.fingerprint:08x}",
                "finished": found.finished.isoformat(timespec="minutes"),
                "seconds": found.seconds,
                "questions": len(found.attempts),
                "right": found.right,
                "tries": sum(attempt.tries for attempt in found.attempts),
                "hints": sum(attempt.hints for attempt in found.attempts),
                "mark": found.mark,
            }
        return data | {"problem": str(self.wrong or self.note or ""), "code": self.code}


def codes_in(arguments: list[str]) -> list[str]:
    """Return the codes among the arguments and in the files that they name; - is the input."""
    codes: list[str] = []
    for argument in arguments:
        if argument == "-":
            codes += sys.stdin.read().splitlines()
        elif Path(argument).suffix or Path(argument).exists():
            codes += _lines_of(Path(argument))
        else:
            codes.append(argument)
    found = [code.strip() for code in codes if code.strip()]
    if not found:
        raise BadInput("there are no codes to check")
    return found


def _lines_of(path: Path) -> list[str]:
    file_to_read(path)
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise BadInput("{path} is too large for a file of codes", path=path)
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
    except UnicodeDecodeError:
        raise BadInput("{path} is not text", path=path) from None


def checked(codes: list[str], of: list[Exercise] | None) -> list[CheckedCode]:
    """Return what each code says; a code handed in twice, or of another exercise, is marked."""
    meant = None if of is None else {(one.exercise.fingerprint, len(one.questions)) for one in map(asked, of)}
    seen: dict[bytes | str, int] = {}
    found = []
    for place, code in enumerate(codes, start=1):
        try:
            one = CheckedCode(code, read_code(code))
        except BadInput as error:
            found.append(CheckedCode(code, None, error.text))
            continue
        assert one.says is not None
        if meant is not None and (one.says.fingerprint, len(one.says.attempts)) not in meant:
            one.wrong = Text("of another exercise")
        same = "".join(letter for letter in code.upper() if letter.isalnum())
        if same in seen:
            one.note = Text("the same as code {place}", place=seen[same])
        seen.setdefault(same, place)
        found.append(one)
    return found


def show_codes(found: list[CheckedCode], console: Console) -> None:
    """Print a table, and the faults below it."""
    table = Table(box=None, pad_edge=False)
    heads = ("", say("name"), say("exercise"), say("finished"), say("time"), say("correct"), say("tries"), say("hints"))
    for head in (*heads, say("mark")):
        table.add_column(head)
    for place, one in enumerate(found, start=1):
        says = one.says
        if says is None:
            continue
        tries, hints = (sum(getattr(a, name) for a in says.attempts) for name in ("tries", "hints"))
        cells = [str(place), escape(says.name or "–"), escape(says.title), f"{says.finished:%Y-%m-%d %H:%M}"]
        cells += [f"{says.seconds // 60}:{says.seconds % 60:02}", f"{says.right}/{len(says.attempts)}"]
        table.add_row(*cells, str(tries), str(hints), number(says.mark, ",g"))
    if table.row_count:
        console.print(table, highlight=False)
    for place, one in enumerate(found, start=1):
        problem = one.wrong or one.note
        if problem is not None:
            console.print(say("code {place}: {problem}", place=place, problem=problem), markup=False, highlight=False)


def show_csv(found: list[CheckedCode]) -> None:
    """Print a line for each code, below a header."""
    rows = [one.as_data() for one in found]
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _harmless(value) for key, value in row.items()})


def _harmless(value: Any) -> Any:
    """Protect a name that a spreadsheet would run as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value
