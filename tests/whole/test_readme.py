"""The output shown in the READMEs and the tutorials is correct."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from drive import contienda

ROOT = Path(__file__).parents[2]


def _blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def _commands(page: str) -> list[tuple[str, str]]:
    """Each command of a page with the output that it shows."""
    commands = []
    for block in _blocks((ROOT / page).read_text(encoding="utf-8"), "console"):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            commands.append((command, output))
    return commands


@pytest.mark.parametrize("page", ["README.md", "README.es.md", "docs/en/tutorial.md", "docs/es/tutorial.md"])
def test_the_commands_print_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for block in _blocks((ROOT / page).read_text(encoding="utf-8"), "python"):
        if block.startswith("# "):
            (tmp_path / block.splitlines()[0].removeprefix("# ")).write_text(block, encoding="utf-8")
    commands = _commands(page)
    assert len(commands) >= 5
    for command, shown in commands:
        words = shlex.split(command)
        assert words[0] == "contienda"
        ran = contienda(*words[1:])
        assert ran.code == 0, command
        printed = ran.out
        checker = doctest.OutputChecker()
        assert checker.check_output(shown, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), (command, printed)
