"""The figures of experiments as SVG, in the reader's language, light or dark; and files to download."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from contienda.core.language import use_language
from contienda.lab.results import Results
from contienda.web.errors import NotFound
from contienda.web.lab.documents import LabDocuments, OpenedExperiment
from contienda.web.lab.drawing import Drawing
from contienda.web.lab.views import LabViews
from contienda.web.work.processes import Workshop

__all__ = ["LabFigures"]

T = TypeVar("T")

#: Cache sizes: the charts of 16 experiments, 256 pictures of about 30 kB, and 16 pages of about half a megabyte.
_CHARTS, _PICTURES, _PAGES = 16, 256, 16


class _Remembered:
    """A cache of the results used last, by the key of their inputs."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._cache: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                found: T = self._cache[key]
                return found
        made = make()
        with self._lock:
            self._cache[key] = made
            if len(self._cache) > self._most:
                self._cache.popitem(last=False)
        return made


class LabFigures:
    """Pictures and files of experiments. All of this is slow: do not call it on the event loop."""

    def __init__(self, views: LabViews, drawing: Drawing, workshop: Workshop) -> None:
        self._views = views
        self._drawing = drawing
        self._workshop = workshop
        self._charts = _Remembered(_CHARTS)
        self._pictures = _Remembered(_PICTURES)
        self._pages = _Remembered(_PAGES)

    def picture(self, results: Results, name: str, language: str, theme: str) -> str:
        """Return a figure of an experiment, as of now, as SVG."""
        return self._picture(results, lambda: self._views.charts(results), name, language, theme)

    def document_picture(self, opened: OpenedExperiment, name: str, language: str, theme: str) -> str:
        """Return a figure of a document's experiment, as of now, as SVG."""
        assert opened.results is not None
        return self._picture(opened.results, opened.charts, name, language, theme)

    def _picture(
        self, results: Results, make: Callable[[], dict[str, Any]], name: str, language: str, theme: str
    ) -> str:
        from contienda.lab.figures.style import for_screen

        use_language(language)
        state = (_state(results), language)
        charts = self._charts.get(state, lambda: {name: chart.to_dict() for name, chart in make().items()})
        if name not in charts:
            raise NotFound("no such figure here")
        return self._pictures.get(
            (state, name, theme), lambda: self._drawing.svg(for_screen(charts[name], dark=theme == "dark"))
        )

    def _draw(self, chart: Any) -> str:
        return self._drawing.svg(chart.to_dict())

    def file(self, results: Results, kind: str, language: str) -> bytes:
        """Return a file to download: the games, the report, the plan, or everything, as `contienda lab` opens it."""
        from contienda.lab.report import report_html

        use_language(language)
        if kind == "csv":
            return self._views.table(results).write_csv().encode()
        if kind == "parquet":
            file = io.BytesIO()
            self._views.table(results).write_parquet(file)
            return file.getvalue()
        if kind == "html":

            def write() -> bytes:
                drawings = [self._draw(chart) for chart in self._views.charts(results).values()]
                page = report_html(results, self._views.table(results), drawings)
                return self._views.shown(page).encode("utf-8", "replace")

            return self._pages.get((_state(results), language), write)
        return self._views.toml(results.plan).encode() if kind == "toml" else results.as_bytes()

    def document(self, documents: LabDocuments, client: str, name: str, quick: bool, language: str) -> bytes:
        """Return a document's tables as one self-contained page."""
        with documents.found(client, name, quick) as found:
            states = tuple(
                (_state(each.results), each.times and _state(each.times)) for each in found if each.results is not None
            )
        write = partial(documents.page, client, name, quick, language, self._workshop)
        return self._pages.get((name, states, language), write)


def _state(results: Results) -> tuple[Path, int]:
    """Return what changes when a game is added."""
    return results.path, sum(results.counts().values())
