"""Widgets in Python, with anywidget's own classes; tests/browser/test_widgets.py has them in a browser."""

from __future__ import annotations

import sys
from html import unescape
from pathlib import Path

import anywidget
import pytest

from contienda import BadInput, BoardWidget, Experiment, RunWidget, TreeWidget, make_game
from contienda.evaluation.cell_network import CellNetwork
from contienda.evaluation.g2048.ntuple import parse_network
from contienda.lab.plan import Plan

TOY = Path(__file__).parents[1] / "toys" / "engine.py"


def ask(board: BoardWidget, wish: str, **more: object) -> None:
    """As a click in the page does."""
    board._handle_custom_msg({"do": wish, "revision": board.shown["game"]["revision"], **more}, [])


def test_a_board_is_played_undone_and_begun_anew():
    board = BoardWidget("tictactoe", "human", "random", seed=3, helper="random")
    assert isinstance(board, anywidget.AnyWidget)
    assert "https://" not in board._esm.replace("https://github.com", "")
    ask(board, "move", move="5")
    assert (board.played.moves, board.shown["step"]["by"]) == (2, "random")
    board._handle_custom_msg({"do": "move", "move": "1", "revision": 0}, [])
    assert board.played.moves == 2, "a wish that came too late"
    ask(board, "move", move="99")
    assert "is not a legal move" in board.shown["error"]["en"]
    ask(board, "hint")
    assert board.shown["hint"]["best"] in board.shown["game"]["position"]["legal"]
    first = board.shown["game"]["position"]["text"]
    ask(board, "undo")
    assert board.shown["game"]["position"]["text"] == ".../.../..."
    ask(board, "redo")
    assert board.shown["game"]["position"]["text"] == first
    ask(board, "new")
    assert (board.played.moves, board.shown["game"]["id"]) == (0, "2")


def test_an_engine_that_dies_loses_here_too(tmp_path):
    engine = f"engine:cmd={sys.executable} -I -S {TOY} {tmp_path / 'pids'} dies,timeout=20"
    board = BoardWidget("tictactoe", "human", engine)
    ask(board, "move", move="5")
    assert board.shown["game"]["position"]["forfeit"]["side"] == 2
    assert (board.played.ended, board.played.fault.side) == ("forfeit", 1)
    with pytest.raises(BadInput, match="the game is over"):
        board.move("1")


def test_bad_input_is_one_line_before_anything_is_shown(tmp_path):
    for make in (
        lambda: BoardWidget("chess"),
        lambda: BoardWidget("tictactoe", "human", "nobody"),
        lambda: BoardWidget("2048", target=100),
        lambda: TreeWidget("tree", "max[", "minimax"),
        lambda: RunWidget(Plan("p", "tictactoe", ("nobody",), ("random",), games=1), tmp_path / "p.sqlite"),
        lambda: Experiment("tictactoe", ["nobody"], ["random"]),
    ):
        with pytest.raises(BadInput) as wrong:
            make()
        assert "\n" not in str(wrong.value)
    assert not list(tmp_path.iterdir())


def test_without_a_display_a_widget_is_one_line():
    told = repr(BoardWidget("tictactoe", "human", "random"))
    assert told == "Tic-tac-toe: a notebook shows it as a widget; without one, run: contienda"


def test_without_the_extra_one_line_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    for name in [each for each in sys.modules if each.startswith("contienda.widgets")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match=r"^widgets need anywidget: pip install 'contienda\[notebook\]'$"):
        import contienda.widgets  # noqa: F401


def test_an_experiment_plays_what_is_missing_and_shows_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    experiment = Experiment("tictactoe", ["random", "greedy"], ["random"], games=4)
    assert experiment.results is None
    assert 'game = "tictactoe"' in unescape(experiment.plan._repr_html_())
    assert len(list(experiment.run(workers=1).rows())) == 8
    again = Experiment("tictactoe", ["random", "greedy"], ["random"], games=4)
    assert again.path == experiment.path
    assert sum(again.results.counts().values()) == 8
    assert Experiment("tictactoe", ["random"], ["random"]).path != experiment.path
    assert "greedy – random" in experiment._repr_html_()
    assert "overview" in experiment.charts()


def test_networks_show_their_tuples():
    assert parse_network("4x6")._repr_html_().count("<svg") == 4
    assert "67,108,864 weights" in parse_network("4x6")._repr_html_()
    assert CellNetwork(make_game("connect4").spec, 40, 5)._repr_html_().count("<svg") == 8
