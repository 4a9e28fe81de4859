"""The documentation as a site: ``make docs`` builds it once for each language, warnings as errors, into docs/_build.

The pages are docs/en and docs/es. `reference` and `algorithms` write what can be generated, from the code, into
``generated`` beside them before each build.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from pages import page_in_other

from contienda import __version__
from contienda.core.language import use_language

language = os.environ.get("DOCS_LANGUAGE", "en")
logging.getLogger("contienda").setLevel(logging.WARNING)  # not what is compiled for the examples
use_language(language)  # before the commands are imported: their help is made then

project = "Contienda"
author = "The Contienda authors"
copyright = "2026, The Contienda authors"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns: list[str] = []
source_suffix = {".md": "markdown"}

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
default_role = "literal"  # `name` in a docstring
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
# Anchors of repositories and pages elsewhere are not looked up: the site is built offline.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "Contienda"
html_favicon = "../src/contienda/web/static/icon.svg"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"source_repository": ""}


def link_the_other_language(app: Any, page: str, template: str, context: dict[str, Any], document: Any) -> None:
    """Put a link to the same page in the other language above each page."""
    other, name = {"en": ("es", "Español"), "es": ("en", "English")}[language]
    up = "../" * (page.count("/") + 1)
    address = f"{up}{other}/{page_in_other(page, language)}.html"
    context["theme_announcement"] = f'<a href="{address}" lang="{other}" hreflang="{other}">{name}</a>'


def setup(app: Any) -> None:
    """Write the generated pages before a build, and the trees that they embed after it."""
    import algorithms
    import reference

    app.connect("builder-inited", lambda app: reference.write(Path(app.srcdir) / "generated"))
    app.connect("builder-inited", lambda app: algorithms.write(Path(app.srcdir) / "generated", language))
    app.connect("html-page-context", link_the_other_language)
    app.connect("build-finished", lambda app, error: algorithms.write_trees(Path(app.outdir)))
