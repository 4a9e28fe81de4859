"""Large experiments in parts: each machine plays its shard of a plan into its own file, and `merge` joins them.

Shard 3 of 50 plays, of the game number *i* of player number *p*, those with (i + p) mod 50 = 2: every shard has a share
of every player's games, and so of slow and fast ones. The joined file has the games that one machine would have played,
bit for bit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from contienda.core.language import BadInput, Text, plural

if TYPE_CHECKING:
    from contienda.lab.plan import Plan, Unit
    from contienda.lab.results import Results

__all__ = ["Merged", "Shard", "merge", "missing_words", "read_shard"]

#: More parts than any cluster has nodes.
_MOST_SHARDS = 100_000


class Shard(NamedTuple):
    """A part of a plan: the third of fifty is ``Shard(3, 50)``."""

    number: int
    parts: int

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"

    def has(self, plan: Plan, unit: Unit) -> bool:
        """Return whether a game belongs to this shard."""
        return ((unit.seed - plan.seed) % 2**64 + unit.entrant) % self.parts == self.number - 1

    def games(self, entrant: int, games: int) -> int:
        """Return how many of an entrant's games belong to this shard."""
        return len(range((self.number - 1 - entrant) % self.parts, games, self.parts))


def read_shard(text: str, plan: Plan) -> Shard:
    """Return the shard that ``3/50`` names; a plan without a fixed number of games cannot be split."""
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text.strip())
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not 1 <= shard.number <= shard.parts <= _MOST_SHARDS:
        raise BadInput("--shard {text}: write 3/50 for the third of fifty parts", text=text[:40])
    if plan.games is None:
        raise BadInput("--shard: a plan with interval or test cannot be split; give it a number of games")
    return shard


class Merged(NamedTuple):
    """The result of a merge."""

    games: int
    missing: int
    """Games of the plan that no file has, including those that could not be played."""
    absent: list[int]
    """The numbers of the missing shards."""
    versions: int
    """How many versions of Contienda played."""


def merge(files: Sequence[Path], out: Path) -> Merged:
    """Join results of one plan in a new file; `BadInput` if they are of two plans, or of the same shard."""
    from contienda.lab.results import Results

    if out.exists():
        raise BadInput("{file} already exists", file=out)
    with ExitStack() as opened:
        parts = [opened.enter_context(closing(Results(file))) for file in files]
        _check_same(parts)
        with TemporaryDirectory(dir=out.parent, prefix=".merge-") as folder:
            path = Path(folder) / out.name
            with closing(Results(path, parts[0].plan)) as whole:
                for part in parts:
                    whole.take_in(part)
                told = _told(whole, parts)
            path.replace(out)
    return told


def _check_same(parts: list[Results]) -> None:
    first = parts[0]
    seen: dict[Shard, Results] = {}
    for part in parts:
        if part.plan != first.plan:
            raise BadInput("{first} and {other} hold different plans", first=first.path, other=part.path)
        if part.sources() != first.sources():
            raise BadInput(
                "{first} and {other} were played with different versions of your own players",
                first=first.path,
                other=part.path,
            )
        if part.shard is None:
            continue
        if part.shard in seen:
            raise BadInput(
                "shard {shard} is there twice: {first} and {other}",
                shard=part.shard,
                first=seen[part.shard].path,
                other=part.path,
            )
        if seen and next(iter(seen)).parts != part.shard.parts:
            raise BadInput(
                "{first} is shard {one} and {other} is shard {two}: they split the plan differently",
                first=next(iter(seen.values())).path,
                one=next(iter(seen)),
                other=part.path,
                two=part.shard,
            )
        seen[part.shard] = part


def _told(whole: Results, parts: list[Results]) -> Merged:
    plan, shards = whole.plan, [part.shard for part in parts if part.shard is not None]
    games = sum(whole.counts().values())
    planned = plan.games * len(plan.entrants) if plan.games is not None else games
    given = {shard.number for shard in shards}
    absent = sorted(set(range(1, shards[0].parts + 1)) - given) if len(shards) == len(parts) else []
    return Merged(games, planned - games, absent, len({run["code"] for run in whole.runs()}))


def missing_words(merged: Merged, out: Path) -> Text:
    """Say in one line what a merged file lacks."""
    numbers = ", ".join(map(str, merged.absent[:10])) + (" …" if len(merged.absent) > 10 else "")
    lost = plural(" (shard {numbers})", " (shards {numbers})", len(merged.absent), numbers=numbers)
    which = lost if merged.absent else Text("")
    return plural(
        "{n} game is missing{which}: contienda lab resume {out} plays it",
        "{n:,} games are missing{which}: contienda lab resume {out} plays them",
        merged.missing,
        which=which,
        out=out,
    )
