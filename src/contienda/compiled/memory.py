"""Free memory, so that too large a request fails with a clear message before the system kills the process."""

from __future__ import annotations

import os

from contienda.core.language import BadInput

__all__ = ["free_megabytes", "refuse_beyond_memory"]


def free_megabytes() -> int | None:
    """Return the megabytes that a process can still allocate; None if the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as report:
            fields = dict(line.split(":") for line in report)
        return int(fields["MemAvailable"].split()[0]) // 1024
    except (OSError, ValueError, KeyError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, ValueError, OSError):
        return None


def refuse_beyond_memory(what: str, megabytes: int) -> None:
    """Raise BadInput if something takes more memory than is free."""
    free = free_megabytes()
    if free is not None and megabytes > free:
        raise BadInput(
            "{what} takes {megabytes:,} MB of memory, and {free:,} MB are free",
            what=what,
            megabytes=megabytes,
            free=free,
        )
