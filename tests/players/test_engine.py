"""Other people's programs as players: whatever they do, a game ends, and nothing is left running."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from drive import command, contienda

from contienda.cli.lab.run import about_lines
from contienda.compiled.stopping import Stop, in_time
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.lab.plan import Plan
from contienda.lab.results import Results
from contienda.lab.run import run
from contienda.lab.where import Where
from contienda.match import Match
from contienda.players import make_player
from contienda.record import game_as_text, game_from_text, result_of

GAME = make_game("tictactoe")
TOY = Path(__file__).parents[1] / "toys" / "engine.py"


@pytest.fixture
def spec(tmp_path):
    """The spec of a toy; at the end none of its processes runs."""
    pids = tmp_path / "pids"

    def of(mode: str, options: str = "timeout=20") -> str:
        return f"engine:cmd={sys.executable} -I -S {TOY} {pids} {mode}" + (f",{options}" if options else "")

    yield of
    deadline = time.monotonic() + 20
    while alive := [pid for pid in pids.read_text().split() if running(int(pid))]:
        assert time.monotonic() < deadline, alive
        time.sleep(0.05)


def running(pid: int) -> bool:
    """Whether a process is there, a zombie of ours among them."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_engine_plays_whole_games_and_is_asked_again(spec, tmp_path):
    engine = make_player(spec("plays"), GAME)
    match = Match(GAME, [engine, make_player("random", GAME)])
    for seed in range(3):
        played = match.play(seed)
        assert (played.ended, played.fault) == ("over", None)
    assert len((tmp_path / "pids").read_text().split()) == 1
    analysis = engine.analyse(GAME.parse("X.O/.X./..."))
    assert (analysis.best, analysis.pv, analysis.moves[0].value) == ("2", ["2"], 12.5)
    told = analysis.as_data()["moves"][1:]  # nothing is known of the others: neither a value nor a bound
    assert {(move["value"], move["bound"]) for move in told} == {(None, None)}
    assert "≤" not in analysis._repr_html_()
    assert (analysis.counters.nodes, analysis.counters.depth) == (99, 3)
    del engine, match


FAULTS = {
    "silent": "no bestmove within 0.5 s",
    "deaf": "no bestmove within 0.5 s",
    "parent": "no bestmove within 0.5 s",
    "late": "no bestmove within 0.5 s",
    "flood": "no bestmove within 0.5 s",
    "binary": "no bestmove within 0.5 s",
    "endless": "a line of more than 65,536 bytes",
    "closes": "it closed its input or output",
    "dies": "it ended with code 7",
    "killed": "it ended with code 9",
    "illegal": "its move '77' is not legal at .../.../...: there are 1, 2",
    "wordless": "its move '' is not legal",
    "complains": "it says: out of coffee",
}


@pytest.mark.parametrize("mode", FAULTS)
def test_whatever_it_does_wrong_it_loses_by_rule(spec, mode):
    patience = "timeout=0.5" if FAULTS[mode].startswith("no bestmove") else "timeout=20"
    match = Match(GAME, [make_player(spec(mode, patience), GAME), make_player("random", GAME)])
    played = match.play(1)
    assert played.ended == "forfeit"
    assert played.fault.side == 0
    assert str(played.fault.reason).startswith(FAULTS[mode])
    assert result_of(played)["winner"] == 2
    again = game_from_text(game_as_text(played), "it")
    assert (again.ended, again.fault.side, str(again.fault.reason)) == ("forfeit", 0, str(played.fault.reason))
    del match


def test_an_engine_that_never_reads_does_not_hold_us_up(spec):
    """Its pipe fills up: then it has lost, at the latest."""
    engine = make_player(spec("unread"), GAME)
    seat = engine.seat(0)
    engine.compile()
    fcntl.fcntl(engine._free[0]._process.stdin, fcntl.F_SETPIPE_SZ, 4096)
    told = None
    for _ in range(1000):
        try:
            engine.choose(GAME.parse(".../.../..."), seat)
        except BadInput as fault:
            told = str(fault)
            break
    assert told == "it does not read its input"
    del engine


def test_a_second_player_loses_too_and_a_forged_record_is_refused(spec):
    match = Match(GAME, [make_player("random", GAME), make_player(spec("dies"), GAME)])
    played = match.play(1)
    assert (played.moves, played.fault.side, result_of(played)["winner"]) == (1, 1, 1)
    text = game_as_text(played)
    for wrong in (text.replace('"forfeit"', '"over"'), text.replace('"player": 2', '"player": 3')):
        with pytest.raises(BadInput):
            game_from_text(wrong, "it")
    del match


def test_the_lab_counts_the_loss_and_says_why(spec, tmp_path):
    plan = Plan("x", "tictactoe", (spec("dies"),), ("random",), games=2)
    results = Results(tmp_path / "x.sqlite", plan)
    assert run(results, Where("threads", 1)).complete
    assert [(row["ended"], row["winner"]) for row in results.rows()] == [("forfeit", 2)] * 2
    assert [str(each.reason) for each in results.forfeits()] == ["it ended with code 7"] * 2
    assert results.failures() == []
    assert about_lines(results)[1:] == ["ended by forfeit: 2 games, first seed 1: it ended with code 7"]
    results.close()


def test_the_command_line_plays_and_asks_it(spec):
    told = contienda("play", "tictactoe", "--player", "random", "--opponent", spec("illegal"), "--seed", 1)
    assert "loses by forfeit: its move '77' is not legal" in " ".join(told.out.split())
    assert contienda("hint", "tictactoe", "X.O/.X./...", "--player", spec("plays"), "--json").json["best"] == "2"
    assert (
        "no bestmove"
        in contienda("hint", "tictactoe", "X.O/.X./...", "--player", spec("silent", "timeout=0.5")).complaint
    )


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("engine", "engine needs a program"),
        ("engine:cmd=./nowhere", "there is no program ./nowhere"),
        ("engine:cmd='", "is not a command"),
        (f"engine:cmd={shutil.which('true')},ms=0", "ms=0 must be at least 1"),
        (f"engine:cmd={shutil.which('true')},timeout=-1", "timeout=-1"),
        (f"engine:cmd={shutil.which('true')},speed=9", "has no parameter 'speed'"),
        (f"engine:cmd={shutil.which('true')}", "it ended with code 0"),
    ],
)
def test_a_wrong_command_is_told_before_any_game(wrong, complaint):
    assert complaint in contienda("play", "tictactoe", "--player", wrong).complaint


def test_a_program_that_is_no_engine_is_told_before_any_game(spec, monkeypatch):
    monkeypatch.setattr("contienda.players.engine._START", 0.5)
    for mode, complaint in (("stranger", "does not speak version 1"), ("picky", "it says: I know no such game")):
        assert complaint in contienda("play", "tictactoe", "--player", spec(mode)).complaint


def test_ctrl_c_stops_a_silent_engine(spec):
    stop = Stop()
    match = Match(GAME, [make_player(spec("silent", "timeout=60"), GAME), make_player("random", GAME)])
    match.compile()
    played = in_time(partial(match.play, 1, stop=stop), stop, seconds=0.3)
    assert (played.ended, played.moves) == ("stopped", 0)


# --- Ours -------------------------------------------------------------------------------------------------------------


def talk(*lines: str, player: str = "alphabeta") -> list[str]:
    """What our engine answers."""
    return contienda("engine", "--player", player, stdin="\n".join(lines) + "\n").out.splitlines()


def test_our_engine_speaks_the_protocol():
    said = talk("contienda 1", "game tictactoe", "position X.O/.X./O..", "go depth 2")
    assert said[0].startswith("contienda 1 Contienda ")
    assert said[1] == "ready"
    assert said[2].startswith("info depth 2 nodes ")
    assert " pv 9" in said[2]
    assert said[3:] == ["bestmove 9"]


def test_our_engine_tells_each_depth_that_it_sees_completed():
    said = [line.split() for line in talk("game connect4", "position 44", "go ms 1000") if line.startswith("info")]
    depths = [int(words[words.index("depth") + 1]) for words in said]
    assert len(depths) > 2
    assert depths == sorted(depths)
    assert "pv" in said[-1]


def test_quit_ends_a_search_without_an_answer():
    """One that was hardly begun would look like a move."""
    said = talk("game connect4", "position 44", "go ms 60000", "quit")
    assert said == ["ready"]


def test_our_engine_answers_nonsense_in_one_line_and_goes_on():
    said = talk(
        "contienda 9", "go", "game chess", "game tictactoe", "go", "position XXX/XXX/XXX", "dance", "",
        "position .../.../...", "go depth", "go depth -1", "go fast 3", "\x00\xff", "position XXX/OO./...", "go",
    )  # fmt: skip
    complaints = [line for line in said if line.startswith("error ")]
    assert len(complaints) == len(said) - 1 == 11
    assert said.count("ready") == 1


@pytest.mark.slow
def test_our_engine_is_a_player_of_ours(tmp_path):
    """Through the pipe it plays what it plays here."""
    ours = " ".join(command("engine", "--player", "alphabeta:depth=2"))
    game = make_game("connect4:rows=4,columns=5")
    there, rival = make_player(f"engine:cmd={ours},depth=2,timeout=60", game), make_player("random", game)
    here = make_player("alphabeta:depth=2", game)
    for seed in range(3):
        assert Match(game, [there, rival]).play(seed).actions == Match(game, [here, rival]).play(seed).actions
    del there
