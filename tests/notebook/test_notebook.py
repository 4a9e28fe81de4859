"""What a notebook shows: short names, and objects that show themselves."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import contienda
from contienda import make_game
from contienda.core.language import BadInput

TREE = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"
DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "en" / "notebooks").glob("*.ipynb"))


def test_a_hint_shows_every_move_with_its_value():
    found = contienda.hint("tree", TREE, "alphabeta")
    assert (found.best, found.value) == ("1", 3)
    shown = found._repr_html_()
    assert shown.count("<tr") == 4
    assert "<tr style='font-weight: bold'><td>1</td><td>3</td></tr>" in shown
    assert "<td>2</td><td>2</td>" in shown
    assert "11 nodes" in shown


def test_a_game_shows_its_last_board_and_how_it_ended():
    played = contienda.play("tictactoe", "random", "random", seed=1)
    assert played.actions == contienda.play("tictactoe", "random", "random", seed=1).actions
    shown = played._repr_html_()
    assert "<svg" in shown
    assert "random – random, seed 1: winner" in shown


def test_the_package_of_traces_is_the_function_that_makes_one():
    from contienda import trace
    from contienda.trace.model import Trace

    found = trace("tree", TREE, "alphabeta")
    assert isinstance(found, Trace)
    assert found.counters.nodes == 11
    assert "<iframe" in found._repr_html_()
    assert trace("puzzle8", "1 2 3/0 4 6/7 5 8", "astar").nodes


def test_games_and_boards_show_themselves():
    game = make_game("tictactoe")
    assert "<code>tictactoe</code>" in game._repr_html_()
    assert game.picture(game.parse("XOX/.O./..."))._repr_svg_().startswith("<svg")


def test_bad_input_is_one_line():
    with pytest.raises(BadInput, match="no game 'chess'"):
        contienda.play("chess")


def code_of(path):
    """The cells of a notebook that run."""
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["nbformat"] == 4
    return [cell for cell in content["cells"] if cell["cell_type"] == "code"]


def is_slow(cell):
    return "slow" in cell["metadata"].get("tags", [])


def test_notebooks_of_all_languages_have_the_same_code():
    others = [path for path in DOCS.glob("*/notebooks/*.ipynb") if path not in NOTEBOOKS]
    assert len(others) >= len(NOTEBOOKS) > 0
    assert all(code_of(path) == code_of(DOCS / "en" / "notebooks" / path.name) for path in others)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebooks_run(path, tmp_path, monkeypatch):
    """Each cell in order, as a kernel runs them; what ends a cell can show itself."""
    run([cell for cell in code_of(path) if not is_slow(cell)], path, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if any(map(is_slow, code_of(path)))], ids=lambda path: path.stem
)
def test_the_notebooks_run_with_their_slow_cells(path, tmp_path, monkeypatch):
    run(code_of(path), path, tmp_path, monkeypatch)


def run(cells, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in cells:
        assert cell["outputs"] == []
        source = "".join(cell["source"])
        body = ast.parse(source).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), str(path), "exec"), names)
        if last is not None:
            found = eval(compile(ast.Expression(last.value), str(path), "eval"), names)
            shows = ("_repr_html_", "_repr_svg_", "_repr_mimebundle_")
            shown = next((getattr(found, each)() for each in shows if hasattr(found, each)), repr(found))
            assert len(str(shown)) < 400_000, "outputs stay small"
