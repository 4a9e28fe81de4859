"""A worksheet as PDF: printed by a browser that is installed, or else set by LaTeX."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from contienda.core.language import BadInput
from contienda.exercises.asking import AskedExercise
from contienda.exercises.sheet import worksheet, worksheet_latex

__all__ = ["worksheet_pdf"]

#: Programs that print a page without a window, and those that set a document; the first that is found is used.
_BROWSERS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge",
    "chromium-headless-shell",
)  # fmt: skip
_LATEX = ("lualatex", "xelatex", "pdflatex", "tectonic")
#: Seconds that either may take. A first run of LaTeX builds a cache of fonts.
_PATIENCE = 180


def worksheet_pdf(found: AskedExercise, *, solved: bool) -> bytes:
    """Return the worksheet as PDF, in the current language; `BadInput` if nothing here can make one."""
    if (browser := _found(_BROWSERS)) is not None:
        return _made(browser, "sheet.html", worksheet(found, solved=solved), _printing)
    if (latex := _found(_LATEX)) is not None:
        return _made(latex, "sheet.tex", worksheet_latex(found, solved=solved), _setting)
    raise BadInput("a PDF needs Chromium, Chrome, Edge or LaTeX: write .html and print it from any browser, or .tex")


def _found(names: Iterable[str]) -> str | None:
    return next((path for path in map(shutil.which, names) if path is not None), None)


def _printing(program: str, source: Path) -> list[str]:
    profile = source.parent / "profile"
    options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={profile}"]
    if getattr(os, "geteuid", lambda: 1)() == 0:  # a browser refuses to confine its pages for root
        options.append("--no-sandbox")
    return [program, *options, f"--print-to-pdf={source.with_suffix('.pdf')}", source.as_uri()]


def _setting(program: str, source: Path) -> list[str]:
    safe = (
        [] if Path(program).stem == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    )
    return [program, *safe, source.name]


def _made(program: str, name: str, content: str, command: Callable[[str, Path], list[str]]) -> bytes:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source = Path(folder) / name
        source.write_text(content, encoding="utf-8")
        try:
            subprocess.run(
                command(program, source),
                cwd=folder,
                check=True,
                timeout=_PATIENCE,
                stdin=subprocess.DEVNULL,
                capture_output=True,
            )
            return source.with_suffix(".pdf").read_bytes()
        except (OSError, subprocess.SubprocessError):
            raise BadInput(
                "{program} made no PDF: write .html and print it from a browser, or .tex", program=Path(program).name
            ) from None
