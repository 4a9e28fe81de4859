"""Builds the sdist and the wheel, looks into them, and tries the wheel in an empty environment: ``make package``.

``--python`` is the interpreter to try it with, ``--oldest`` installs the oldest releases that pyproject.toml allows,
``--extras lab,env`` installs extras too. What the empty environment weighs is printed at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

#: A file of each kind that is not Python: a wheel without one of them plays, and fails later.
DATA = (
    "evaluation/networks/2048.packed",
    "evaluation/networks/connect4.cells",
    "perfect/books/6x7x4.book",
    "locales/es/LC_MESSAGES/contienda.po",
    "lab/published/uma_win_rates.csv",
    "lab/reproduced/uma.sqlite.xz",
    "tables/patterns/44.txt",
    "web/static/index.html",
    "web/static/texts/es.json",
    "web/static/js/app.js",
    "web/static/css/base.css",
    "py.typed",
)
_TREE = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"


def built(folder: Path) -> tuple[Path, Path]:
    """Build both; return the sdist and the wheel, which is made from the sdist."""
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], check=True)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def faults_of_wheel(wheel: Path) -> list[str]:
    """Return what the wheel lacks, and what it should not have."""
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "contienda").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    missing = sorted(sources - names) + [f"contienda/{each}" for each in DATA if f"contienda/{each}" not in names]
    strange = sorted(name for name in names - sources if ".dist-info/" not in name)
    return [f"missing: {name}" for name in missing] + [f"does not belong there: {name}" for name in strange]


def faults_of_sdist(sdist: Path) -> list[str]:
    """Return what the sdist lacks: whoever has it can run the tests and build the documentation."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "CITATION.cff", "Makefile", "tests/conftest.py")
    return [f"missing from the sdist: {name}" for name in wanted if name not in names]


def oldest() -> list[str]:
    """Return the oldest releases that pyproject.toml allows: ``numpy>=2.0`` is ``numpy==2.0``."""
    lines = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["lab"]]
    bounds = [re.match(r"([\w-]+)>=([\w.]+)", line) for line in lines]
    return [f"{found[1]}=={found[2]}" for found in bounds if found]


def install(wheel: Path, folder: Path, python: str | None, extras: str, constraints: list[str]) -> Path:
    """Install the wheel in an empty environment; return its ``bin``."""
    if python is None:
        venv.create(folder, with_pip=True)
    else:
        subprocess.run([python, "-m", "venv", folder], check=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    listed = folder / "constraints.txt"
    listed.write_text("\n".join(constraints), encoding="utf-8")
    what = f"{wheel}[{extras}]" if extras else str(wheel)
    subprocess.run(
        [programs / "python", "-m", "pip", "install", "--quiet", "--no-compile", "--constraint", listed, what],
        check=True,
    )
    return programs


def try_commands(programs: Path, folder: Path, extras: str) -> None:
    """Try what the README begins with, from a folder where there is nothing."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"XDG_CACHE_HOME": str(folder / "cache"), "LANGUAGE": "en"}

    def run(*arguments: str, code: int = 0) -> str:
        begun = time.monotonic()
        done = subprocess.run(
            [programs / "contienda", *arguments],
            capture_output=True,
            encoding="utf-8",
            cwd=folder,
            env=environment,
            check=False,
            timeout=600,
        )
        assert done.returncode == code, (arguments, done)
        print(f"  contienda {' '.join(arguments)}: exit code {code}, {time.monotonic() - begun:.1f} s")
        return done.stdout + done.stderr

    assert PROJECT["name"] in run("--version")
    assert json.loads(run("hint", "tree", _TREE, "--player", "alphabeta", "--json"))["moves"][0]["value"] == 3
    assert "1 game" in run("play", "tictactoe", "--player", "random", "--opponent", "random", "--seed", "1")
    assert "perft" not in run("hint", "2048", "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", "--player", "champion:depth=1")
    run("lab", "new", "plan.toml")
    if extras:
        return
    for language, words in {"en": "needs", "es": "necesita"}.items():
        told = run("--lang", language, "lab", "run", "plan.toml", code=2)
        assert words in told, told
        assert "pip install 'contienda[lab]'" in told, told
    _try_app(programs, folder, environment)


def _try_app(programs: Path, folder: Path, environment: dict[str, str]) -> None:
    command = [programs / "contienda", "web", "--no-browser", "--port", "0", "--data", folder / "data"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder) as server:
        try:
            assert server.stdout is not None
            lines = (re.search(r"http://\S+/", line) for line in server.stdout)
            url = next(found.group() for found in lines if found)
            with urllib.request.urlopen(url, timeout=60) as page:
                assert b"contienda" in page.read().lower()
            with urllib.request.urlopen(f"{url}texts/es.json", timeout=60) as texts:
                json.load(texts)
        finally:
            server.terminate()  # not kill: the processes that it started end with it
            server.wait(60)
    print("  contienda web: it answers")


def megabytes(folder: Path) -> float:
    """Return the size of the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def main() -> None:
    """Build, look and try; the exit code is 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python")
    parser.add_argument("--extras", default="")
    parser.add_argument("--oldest", action="store_true")
    parser.add_argument("--out", type=Path, help="keep the sdist and the wheel here")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        sdist, wheel = built(asked.out or folder / "dist")
        if faults := faults_of_wheel(wheel) + faults_of_sdist(sdist):
            sys.exit("\n".join(faults))
        print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB; {wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        programs = install(wheel, folder / "empty", asked.python, asked.extras, oldest() if asked.oldest else [])
        (folder / "elsewhere").mkdir()
        print(f"installed: {megabytes(folder / 'empty'):.0f} MB without bytecode")
        try_commands(programs, folder / "elsewhere", asked.extras)


if __name__ == "__main__":
    main()
