"""The browser of the tests: the system's Chromium."""

from __future__ import annotations

import shutil

__all__ = ["find_chromium"]

#: The headless shell is the same engine without the browser around it, and takes less CPU time for the same tests.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str:
    """Return the path of the browser that Playwright is to start."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    assert found, f"the tests need a browser: apt-get install {_NAMES[0]}"
    return found
