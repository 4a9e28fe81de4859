"""The documentation as a site: every page has its twin in the other language."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("language", "other"), [("en", "es"), ("es", "en")])
def test_the_switch_of_languages_leads_to_the_same_page(language, other):
    pages = load("pages")
    folder = DOCS / language
    names = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md")}
    names = {name for name in names if not name.startswith("generated/")}
    twins = {name: pages.page_in_other(name, language) for name in names}
    assert all((DOCS / other / f"{twin}.md").is_file() for twin in twins.values())
    assert len(set(twins.values())) == len(names) > 30
    assert all(pages.page_in_other(twin, other) == name for name, twin in twins.items())
