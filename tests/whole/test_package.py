"""The package: light by default, clear words where an extra is missing, and files that tell the same as the project."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import contienda

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

#: A process without the packages of the extras: it imports what play, hints, training and the app need, and asks for
#: the rest. One process for all, because each costs seconds.
_LIGHT = """
import contextlib, importlib, io, json, sys, tempfile
from pathlib import Path

gone = ["polars", "altair", "scipy", "vl_convert", "cma", "distributed", "dask", "gymnasium", "pettingzoo", "anywidget"]
sys.modules.update(dict.fromkeys(gone))  # as if they were not installed

from contienda.cli import main
from contienda.core.language import use_language

def command(*arguments):
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        try:
            main(list(arguments))
        except SystemExit as leaving:
            return leaving.code, told.getvalue()

folder = Path(tempfile.mkdtemp())
plan = str(folder / "plan.toml")
answers = {"new": command("lab", "new", plan)}
for language in ("en", "es"):
    answers[f"lab {language}"] = command("--lang", language, "lab", "run", plan)
use_language("en")
try:
    importlib.import_module("contienda.envs").two_player_env
except ImportError as error:
    answers["envs"] = str(error)

from website import open_site

with open_site(folder) as site:
    client = site.browser()
    found = client.get("/api/lab/runs")
    answers["app"] = found.status_code, found.json()
    answers["page"] = client.get("/").status_code
    answers["games"] = client.get("/api/games").status_code
for module in ("contienda.cli.play", "contienda.cli.solve", "contienda.cli.trace", "contienda.cli.learning.train"):
    importlib.import_module(module)
print(json.dumps(answers))
"""


def test_without_the_extras_the_core_works_and_the_rest_says_what_to_install():
    done = subprocess.run(
        [sys.executable, "-c", _LIGHT],
        capture_output=True,
        encoding="utf-8",
        timeout=200,
        check=False,
        cwd=ROOT / "tests",
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["new"] == [0, ""]
    code, english = told["lab en"]
    assert (code, english.count("\n")) == (2, 1)
    assert "the lab needs" in english
    assert "pip install 'contienda[lab]'" in english
    code, spanish = told["lab es"]
    assert code == 2
    assert "el laboratorio necesita" in spanish
    assert "pip install 'contienda[env]'" in told["envs"]
    status, body = told["app"]
    assert status == 501
    assert body["error"] == {
        "en": english.removeprefix("contienda: ").strip(),
        "es": spanish.removeprefix("contienda: ").strip(),
    }
    assert (told["page"], told["games"]) == (200, 200)


def test_every_file_tells_the_same_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == contienda.__version__
    assert re.search(r"^## \[(.*?)\]", changes, re.MULTILINE)[1] == contienda.__version__


def test_the_lock_file_names_what_the_project_needs_and_no_registry():
    lines = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8").splitlines()
    packages = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[\w.!+]+", line) for line in packages)
    locked = {_plain(line.partition("==")[0]) for line in packages}
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *extras["lab"], *extras["env"], *extras["cluster"], *extras["dev"]]
    assert {_plain(re.match(r"[\w-]+", line)[0]) for line in wanted} - {"contienda"} <= locked


def test_the_guide_for_contributors_has_the_table_of_the_architecture():
    rows = {}
    for name in ("CONTRIBUTING.md", "docs/en/architecture.md"):
        page = (ROOT / name).read_text(encoding="utf-8").replace("](docs/en/", "](")
        rows[name] = re.search(r"^\| new \|.*?(?=\n\n)", page, re.MULTILINE | re.DOTALL)[0]
    assert len(set(rows.values())) == 1


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
