"""Extensions from installed packages: looked up once, and again when a package is installed or removed."""

from __future__ import annotations

import sys

import pytest

from contienda.core import extensions
from contienda.core.extensions import installed, offered

GROUP = "contienda.players"


@pytest.fixture
def looks(monkeypatch):
    """How often the files of all installed packages were read."""
    seen: list[str] = []
    read = extensions.entry_points

    def entry_points(*, group):
        seen.append(group)
        return read(group=group)

    monkeypatch.setattr(extensions, "entry_points", entry_points)
    extensions._offered.cache_clear()
    yield seen
    extensions._offered.cache_clear()


def install(folder, name, offers):
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{offers} = {name}:thing\n")


def test_the_packages_are_read_once(looks):
    """Reading them takes milliseconds with the GIL held: done for every hint, it took more than the searches."""
    for number in range(10):
        assert installed(GROUP, f"none-{number}") is None
    assert looks == [GROUP]


def test_a_package_that_is_installed_later_is_seen(looks, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    assert "late" not in offered(GROUP)
    install(tmp_path, "late", "late")
    assert offered(GROUP)["late"].value == "late:thing"


def test_the_first_on_the_path_counts(looks, tmp_path, monkeypatch):
    install(tmp_path / "a", "one", "same")
    install(tmp_path / "b", "two", "same")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "a"), str(tmp_path / "b"), *sys.path])
    found = installed(GROUP, "same")
    assert found is not None
    assert found.value == "one:thing"
