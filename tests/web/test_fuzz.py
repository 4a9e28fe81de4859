"""Requests made up from the API's own description: whatever comes, a 4xx at worst, and answers as described."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from website import URL, check_failure, open_site

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
COOKIE = "0123456789abcdef" * 2
PLAN = 'game = "2048"\ngames = 1\ntarget = 16\nplayers = ["random"]'


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    # Small limits: a request that happens to be a real search must not hold the others up. Heuristics are off, as for
    # a class: requests at random compile nothing.
    with open_site(tmp_path_factory.mktemp("data"), "0.0.0.0", ms=50, depth=2, upload_bytes=100_000) as site:
        yield site


@pytest.fixture(scope="module")
def visitor(site):
    visitor = site.browser()
    visitor.cookies.clear()
    visitor.cookies.set("contienda", COOKIE)
    return visitor


#: What the API describes; those with something in a query or a body that can be wrong come first.
ASKING = [
    ("GET", "/api/games"), ("POST", "/api/games"), ("POST", "/api/games/file"), ("PATCH", "/api/games/{game_id}"),
    ("POST", "/api/games/{game_id}/moves"), ("POST", "/api/games/{game_id}/cursor"),
    ("POST", "/api/games/{game_id}/save"), ("GET", "/api/games/{game_id}/steps"),
    ("GET", "/api/games/{game_id}/chart"), ("POST", "/api/position"), ("POST", "/api/hint"), ("POST", "/api/open"),
    ("PUT", "/api/heuristics/{name}"), ("POST", "/api/heuristics/{name}/check"), ("POST", "/api/lab/plan"),
    ("POST", "/api/lab/runs"),
    ("GET", "/api/lab/runs/{run_id}/comparison"), ("GET", "/api/lab/runs/{run_id}/figures/{name}"),
    ("GET", "/api/lab/runs/{run_id}/export/{kind}"), ("GET", "/api/lab/documents"),
    ("GET", "/api/lab/documents/{name}"), ("POST", "/api/lab/documents/{name}/start"),
    ("POST", "/api/lab/documents/{name}/stop"), ("DELETE", "/api/lab/documents/{name}"),
    ("GET", "/api/lab/documents/{name}/report"),
    ("GET", "/api/training/{name}"), ("PUT", "/api/training/{name}"),
    ("POST", "/api/training/{name}/resume"), ("POST", "/api/drill"), ("POST", "/api/drill/move"),
]  # fmt: skip
PLAIN = [
    ("GET", "/api/catalogue"), ("GET", "/api/games/{game_id}"), ("DELETE", "/api/games/{game_id}"),
    ("GET", "/api/games/{game_id}/file"), ("GET", "/api/games/{game_id}/statistics"),
    ("GET", "/api/lab/documents/{name}/figures/{experiment}/{figure}"), ("GET", "/api/heuristics"),
    ("GET", "/api/heuristics/{name}"),
    ("DELETE", "/api/heuristics/{name}"), ("GET", "/api/lab/runs"),
    ("GET", "/api/lab/heuristics/{name}"), ("GET", "/api/lab/runs/{run_id}"), ("POST", "/api/lab/runs/{run_id}/start"),
    ("POST", "/api/lab/runs/{run_id}/stop"), ("DELETE", "/api/lab/runs/{run_id}"),
    ("GET", "/api/training"), ("DELETE", "/api/training/{name}"),
    ("POST", "/api/training/{name}/stop"),
    ("GET", "/api/algorithms"), ("GET", "/api/class"), ("GET", "/api/drill"),
]  # fmt: skip


@pytest.fixture(scope="module")
def api(visitor):
    return schemathesis.openapi.from_dict(visitor.get("/api/openapi.json").json())


def test_the_description_is_whole(visitor):
    described = visitor.get("/api/openapi.json").json()["paths"]
    assert {(m.upper(), path) for path, methods in described.items() for m in methods} == {*ASKING, *PLAIN}


def an_experiment(visitor):
    """One of this browser's, made if there is none."""
    listed = visitor.get("/api/lab/runs").json()
    return (listed[0] if listed else visitor.post("/api/lab/runs", json={"plan": PLAN}).json())["id"]


# An experiment that the server has begun may draw by lot, in another thread, while hypothesis draws a request here.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [(*each, GenerationMode.POSITIVE) for each in ASKING + PLAIN]
    + [(*each, GenerationMode.NEGATIVE) for each in ASKING],
)
def test_no_request_breaks_the_server(api, visitor, method, path, mode):
    operation = api[path][method]

    @settings(max_examples=8, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(mode), own=st.booleans())
    def check(case, own):
        if own and "game_id" in (case.path_parameters or {}):
            case.path_parameters["game_id"] = visitor.post("/api/games", json={"seed": "1"}).json()["id"]
        if own and "run_id" in (case.path_parameters or {}):
            case.path_parameters["run_id"] = an_experiment(visitor)
        sent = case.as_transport_kwargs(base_url=URL)
        del sent["cookies"]
        sent["content"] = sent.pop("data", None)
        answer = visitor.request(**sent)
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            check_failure(answer.json())

    check()
