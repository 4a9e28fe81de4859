"""The examples run: each shortened, in this process where that is possible."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest
from drive import contienda

from contienda.envs.kaggle import agent
from contienda.games import make_game
from contienda.match import Match
from contienda.players import make_player

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def ran(monkeypatch, capsys, name: str, *arguments: object) -> str:
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out


def test_the_network_in_numpy_plays(monkeypatch, capsys):
    told = ran(monkeypatch, capsys, "dqn_2048.py", "--steps", 90, "--boards", 4, "--size", 2, "--games", 2)
    assert "step 90: " in told
    assert re.search(r"dqn: mean score \d+ over 2 games\nrandom: mean score \d+ over 2 games", told)


def test_the_table_learns_against_a_player_of_ours(monkeypatch, capsys):
    told = ran(monkeypatch, capsys, "q_learning_tictactoe.py", "--games", 50)
    won, lost, drawn = map(int, re.findall(r"(\d+) (?:won|lost|drawn)", told))
    assert won + lost + drawn == 200


def test_the_agent_for_kaggle_is_the_last_function_of_its_file(monkeypatch):
    """It is called as Kaggle does, with records that are dicts; here with a search that is quick to compile."""
    monkeypatch.setattr("contienda.envs.kaggle.agent", lambda spec: agent("alphabeta:depth=2"))
    names = runpy.run_path(str(EXAMPLES / "kaggle_connectx.py"))
    act = [each for each in names.values() if callable(each)][-1]
    board = {"board": [0] * 35 + [1, 1, 1, 0, 2, 2, 0], "mark": 2, "remainingOverageTime": 60, "step": 5}
    assert act(board, {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2}) == 3


def test_the_adapter_for_pons_solver_plays(tmp_path):
    """Beside a program that talks as his does: the columns played, then the score of each column."""
    solver = tmp_path / "solver.py"
    solver.write_text(
        "import sys\nfor line in sys.stdin:\n    print(line.strip(), -3, -2, -1, 0, 18, -1, -1000, flush=True)\n"
    )
    spec = f"engine:cmd={sys.executable} -I -S {EXAMPLES}/engines/pons.py {sys.executable} -I -S {solver},timeout=20"
    told = contienda("hint", "connect4", "4453", "--player", spec, "--json").json
    assert (told["best"], told["moves"][0]["value"]) == ("5", 18)


def test_the_adapter_for_nneonneos_library_plays(tmp_path):
    """Beside a module in the place of the library, which writes down its boards and always says left, its number 2."""
    (tmp_path / "ctypes.py").write_text(
        "c_uint64 = int\n"
        "class find:\n"
        "    def __call__(self, board):\n"
        f"        print(board, file=open({str(tmp_path / 'boards')!r}, 'a'))\n"
        "        return 2\n"
        "class CDLL:\n"
        "    def __init__(self, path): self.find_best_move = find()\n"
        "    def init_tables(self): pass\n"
    )
    game = make_game("2048")
    spec = f"engine:cmd=env PYTHONPATH={tmp_path} {sys.executable} -S {EXAMPLES}/engines/nneonneo.py any.so,timeout=20"
    played = Match(game, [make_player(spec, game)]).play(2)
    boards = [int(line) for line in (tmp_path / "boards").read_text().split()]
    assert boards[0] == played.start.cells % 2**64
    assert set(played.actions[::2]) == {3}
    assert str(played.fault.reason).startswith("its move 'left' is not legal")


@pytest.mark.parametrize("page", ["en/environments.md", "es/entornos.md"])
def test_the_code_of_the_documentation_runs(page):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks[:3]:  # the agent for Kaggle has its own test
        exec(block, names)
    assert names["boards"].num_envs == 4096
