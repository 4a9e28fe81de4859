"""Learning: updates follow the formulas, runs survive interruptions, and a network improves."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import forked
import numpy as np
import pytest
from drive import contienda
from hypothesis import given
from hypothesis import strategies as st
from twins.networks import lookup_places, naive_learn, naive_stage

from contienda.compiled import memory
from contienda.compiled.rng import generator
from contienda.compiled.rows import rows
from contienda.core.game import CHANCE
from contienda.core.language import BadInput
from contienda.evaluation.g2048.afterstates import build_evaluate
from contienda.evaluation.g2048.network_file import load_network, read_head
from contienda.evaluation.g2048.ntuple import NETWORKS, Network, build_value, new_weights, parse_network
from contienda.evaluation.g2048.quantised import dequantise, quantise
from contienda.evaluation.g2048.stages import build_stage, parse_stages
from contienda.games import make_game
from contienda.games.g2048.board import Board
from contienda.learning.plan import TrainingPlan
from contienda.learning.restart import middle
from contienda.learning.returns import build_learn
from contienda.learning.saved import saved_plan
from contienda.learning.selfplay import build_play, first_board, new_game_log
from contienda.learning.step import METHODS, new_memory
from contienda.learning.training import Training
from contienda.match import Match, play_games
from contienda.players import make_player

TINY = Network(("012", "45"))
SMALL = parse_network("2x4")
STAGED = TrainingPlan(replace(SMALL, stages=(0, 64)), "tc", 1.0, trace=0.5, carousel=True, restart=True, point=100)
boards = st.lists(st.integers(0, 15), min_size=16, max_size=16)


def cells_of(ranks: list[int]) -> int:
    bits = sum(rank << 4 * i for i, rank in enumerate(ranks))
    return bits - (1 << 64) if bits >> 63 else bits


def random_weights(network: Network, seed: int = 1) -> np.record:
    weights = new_weights(network)
    weights.open = len(network.stages)
    rows(weights)[:] = np.random.default_rng(seed).normal(0, 100, network.size)
    return weights


tiny_value, tiny_weights = build_value(TINY), random_weights(TINY)
staged_value = build_value(replace(TINY, stages=(0, 128, 512)))


# --- The value -------------------------------------------------------------------------------------------------------


@given(boards)
def test_a_value_is_the_sum_of_its_formula(ranks):
    expected = sum(float(rows(tiny_weights)[i]) for i in lookup_places(TINY, ranks))
    assert tiny_value(cells_of(ranks), tiny_weights) == pytest.approx(expected, abs=0.01)


@given(boards)
def test_symmetric_boards_have_equal_values(ranks):
    grid = np.array(ranks).reshape(4, 4)
    value = tiny_value(cells_of(ranks), tiny_weights)
    for turned in (np.rot90(grid, k) for k in range(4)):
        for board in (turned, np.fliplr(turned)):
            assert tiny_value(cells_of(board.ravel().tolist()), tiny_weights) == pytest.approx(value, abs=0.01)


@given(boards)
def test_stages_go_by_the_different_tiles(ranks):
    begins = (0, 16384, 24576, 32768)
    assert STAGE(cells_of(ranks)) == naive_stage(begins, ranks)


STAGE = build_stage((0, 16384, 24576, 32768))


def test_a_stage_has_weights_of_its_own():
    network = replace(TINY, stages=(0, 64))
    weights = random_weights(network)
    value = build_value(network)
    early, late = [1, 2, 3, 4, 5] + 11 * [0], [1, 2, 3, 4, 6] + 11 * [0]
    for ranks, stage in ((early, 0), (late, 1)):
        expected = sum(float(rows(weights)[stage * TINY.size + i]) for i in lookup_places(TINY, ranks))
        assert value(cells_of(ranks), weights) == pytest.approx(expected, abs=0.01)
    weights.open = 1  # as long as a stage is not open, the one before serves
    expected = sum(float(rows(weights)[i]) for i in lookup_places(TINY, late))
    assert value(cells_of(late), weights) == pytest.approx(expected, abs=0.01)


def test_before_a_move_the_evaluator_takes_the_best_move():
    game = make_game("2048")
    evaluate = build_evaluate(TINY)
    board = game.parse_scored("2 2 4 8/0 0 0 16/0 0 0 2/0 0 4 4", 100)
    after = [evaluate(game.apply(board, action), tiny_weights) for action in game.legal_actions(board)]
    assert evaluate(board, tiny_weights) == max(after)
    lost = game.parse_scored("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2", 70)
    assert evaluate(lost, tiny_weights) == 70


# --- Learning --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", list(METHODS))
def test_games_are_learnt_as_the_formulas_say(method):
    weights = new_weights(SMALL)
    memory = new_memory(SMALL, METHODS[method])
    learn, play = build_learn(SMALL, METHODS[method]), build_play(SMALL)
    log = new_game_log()
    rng = generator(3)
    table, sums = np.zeros(SMALL.size), np.zeros((SMALL.size, 2))
    for trace in (0.0, 0.5, 1.0):
        play(first_board(rng), weights, rng, log)
        learn(log, 0.5, trace, weights, memory)
        naive_learn(SMALL, method, log, 0.5, trace, table, sums)
        np.testing.assert_allclose(rows(weights), table, rtol=2e-3, atol=2e-3)
        if method == "tc":
            np.testing.assert_allclose(rows(memory), sums, rtol=2e-3, atol=2e-3)


def test_a_tiny_network_learns(tmp_path):
    """After 3,000 games it plays far better than luck does: by the difference of the means over its standard error."""
    training = Training(TrainingPlan(SMALL, "tc", 1.0), 1)
    training.run(tmp_path / "net", games=3000, seconds=None)
    game = make_game("2048")
    scores = {}
    for spec in ("random", f"expectimax:depth=1,eval=ntuple:{tmp_path / 'net'}"):
        played = play_games(Match(game, [make_player(spec, game)]), range(100))
        scores[spec] = np.array([game.outcome(one.state)["score"] for one in played])
    luck, learnt = scores.values()
    error = np.sqrt(luck.var() / len(luck) + learnt.var() / len(learnt))
    assert learnt.mean() - luck.mean() > 10 * error
    assert [point.games for point in training.curve] == [1000, 2000, 3000]
    assert training.curve[-1].mean > training.curve[0].mean > 2 * luck.mean()


def test_optimism_makes_every_board_worth_that_much():
    training = Training(TrainingPlan(TINY, "td", 0.1, optimism=3200.0), 1)
    assert tiny_value(cells_of(list(range(16))), training.weights) == pytest.approx(3200)


def test_threads_share_what_they_learn(tmp_path):
    training = Training(TrainingPlan(SMALL, "tc", 1.0), 3)
    training.run(tmp_path / "net", games=3000, seconds=None)
    assert training.games == 3000
    assert training.curve[-1].mean > 1.5 * training.curve[0].mean
    assert all(seat.log.moves > 0 for seat in training.seats)


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    """A run with every idea in it, long enough for its second stage to open."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("contienda.learning.training.ENOUGH", 100)
        training = Training(STAGED, 1)
        training.run(tmp_path_factory.mktemp("nets") / "net", games=350, seconds=None)
        yield training


@pytest.mark.slow
def test_a_stage_is_opened_with_what_was_learnt_and_games_begin_there(staged):
    assert staged.weights.open == 2
    known, new = rows(staged.weights)[: SMALL.size], rows(staged.weights)[SMALL.size :]
    assert ((known == new) & (known != 0)).sum() > 100  # what the new stage has not met since
    stage = build_stage(STAGED.network.stages)
    starts = staged.seats[0].starts
    kept = starts.cells[1][: starts.reached[1]]
    assert {stage(int(cells)) for cells in kept} == {1}


def test_a_game_is_played_again_from_its_middle():
    log = new_game_log()
    log.moves = 21
    log.cells[:21] = np.arange(21)
    assert middle(log) == (True, Board(10, 0, 0, CHANCE))
    log.moves = 9
    assert not middle(log)[0]


# --- Runs that are interrupted ---------------------------------------------------------------------------------------


def test_resumed_is_as_never_interrupted(staged, tmp_path):
    whole = staged
    Training(STAGED, 1).run(tmp_path / "part", games=130, seconds=None)
    Training.resume(tmp_path / "part", STAGED, 1).run(tmp_path / "part", games=304, seconds=None)
    rest = Training.resume(tmp_path / "part", STAGED, 1)
    rest.run(tmp_path / "part", games=350, seconds=None)
    assert whole.weights.tobytes() == rest.weights.tobytes()
    assert whole.memory.tobytes() == rest.memory.tobytes()
    assert whole.seats[0].rng.state == rest.seats[0].rng.state
    assert (whole.games, whole.moves) == (rest.games, rest.moves)
    assert [point._replace(seconds=0) for point in whole.curve] == [point._replace(seconds=0) for point in rest.curve]


def test_an_annealed_run_lowers_its_rate_and_may_be_interrupted(tmp_path):
    plan = TrainingPlan(parse_network("01 45"), "tc", 1.0, anneal=True, point=100)
    whole = Training(plan, 1)
    whole.run(tmp_path / "whole", games=1000, seconds=None)
    assert [point.alpha for point in whole.curve] == [1.0] * 7 + [0.1] * 2 + [0.01]
    for stop in (350, 740):

        def interrupt(training, stop=stop):
            if training.games >= stop:
                raise KeyboardInterrupt

        part = Training.resume(tmp_path / "part", plan, 1) if stop > 350 else Training(plan, 1)
        with pytest.raises(KeyboardInterrupt):
            part.run(tmp_path / "part", games=1000, seconds=None, watch=interrupt)
    rest = Training.resume(tmp_path / "part", plan, 1)
    rest.run(tmp_path / "part", games=1000, seconds=None)
    assert whole.weights.tobytes() == rest.weights.tobytes()
    assert (tmp_path / "part.csv").read_text().splitlines()[-1].endswith(",0.01")


def test_annealing_counts_from_where_it_was_asked_for(tmp_path):
    plan = TrainingPlan(parse_network("01 45"), "td", 0.1, point=100)
    Training(plan, 1).run(tmp_path / "net", games=500, seconds=None)
    annealed = Training.resume(tmp_path / "net", replace(plan, anneal=True), 1)
    annealed.run(tmp_path / "net", games=1000, seconds=None)
    assert [round(point.alpha, 6) for point in annealed.curve[5:]] == [0.1, 0.1, 0.1, 0.1, 0.01]


_SAVES = """
import sys
from pathlib import Path
from contienda.evaluation.g2048.ntuple import parse_network
from contienda.learning.plan import TrainingPlan
from contienda.learning.saved import saved_plan
from contienda.learning.training import Training
training = Training(TrainingPlan(parse_network("4x5"), "tc", 1.0), 1)
training.save(Path(sys.argv[1]))
print("saved", flush=True)
while True:
    training.games += 1
    training.save(Path(sys.argv[1]))
"""


def test_kill_9_while_saving_leaves_a_file_that_loads(tmp_path):
    file = tmp_path / "net"
    for number in range(2):
        process = forked.Popen([sys.executable, "-c", _SAVES, str(file)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.1 + 0.037 * number)
        process.kill()
        process.wait()
        process.stdout.close()
        Training.resume(file, saved_plan(file), 1)


def test_ctrl_c_saves(tmp_path):
    file = tmp_path / "net"
    command = [sys.executable, "-m", "contienda", "train", "2048", "--network", "2x4", "--hours", "1", "--threads", "2"]
    process = forked.Popen([*command, "--out", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "131,072 weights" in process.stdout.readline()
    while not file.exists():  # it is written first when all is ready to train
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    games = Training.resume(file, saved_plan(file), 1).games
    assert out.startswith(f"{games:,} games")
    assert out.endswith(f"{file}\n")
    assert ", ," not in out  # no tile was common enough to be named


def test_a_disk_that_fills_costs_one_line_and_not_the_last_file(tmp_path):
    training = Training(TrainingPlan(SMALL, "tc", 1.0), 1)
    training.run(tmp_path / "net", games=10, seconds=None)
    before = (tmp_path / "net").read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))  # no file may grow further
    try:
        with pytest.raises(BadInput, match=r"cannot write .*net: File too large"):
            training.run(tmp_path / "net", games=20, seconds=None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (tmp_path / "net").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


# --- Files and bad input ---------------------------------------------------------------------------------------------


@given(st.floats(0.01, 50), st.integers(0, 100))
def test_quantised_weights_are_wrong_by_half_a_step_at_most(step, seed):
    table = np.random.default_rng(seed).normal(0, 1000, 5000).astype(np.float32)
    table[np.random.default_rng(seed).random(5000) < 0.7] = 0
    network = Network(("012",) * 2)
    table = np.resize(table, network.size)
    multiples = np.zeros(len(table), np.int16)
    step, blocks = quantise(network, table, step)
    dequantise(network, blocks, multiples)
    again = multiples * np.float32(step)
    assert np.abs(again - table).max() <= step / 2 * 1.001
    assert (again[table == 0] == 0).all()


@given(st.lists(st.integers(0, 9), min_size=16, max_size=16), st.integers(0, 3))
def test_later_stages_are_kept_as_differences_and_unused_weights_not_at_all(ranks, seed):
    network = replace(TINY, stages=(0, 128, 512))
    weights = random_weights(network, seed)
    rows(weights)[network.stage_size + 40 : 2 * network.stage_size] = rows(weights)[40 : network.stage_size]  # promoted
    packed = new_weights(network, np.int16)
    packed.open = 3
    packed.step, blocks = quantise(network, rows(weights), 0.5)
    dequantise(network, blocks, rows(packed))
    assert staged_value(cells_of(ranks), packed) == pytest.approx(staged_value(cells_of(ranks), weights), abs=0.25 * 16)
    assert np.count_nonzero(rows(packed)) < np.count_nonzero(rows(weights))


def test_a_packed_network_values_boards_within_the_error_it_states(tmp_path):
    training = Training(TrainingPlan(SMALL, "tc", 1.0), 1)
    training.run(tmp_path / "net", games=500, seconds=None)
    packing = contienda("pack", tmp_path / "net", "--out", tmp_path / "packed", "--step", 3)
    assert "rounding error at most 1.5 for weights that are used often, 96 for rare ones" in packing.out
    assert packing.code == 0
    assert (tmp_path / "packed").stat().st_size < (tmp_path / "net").stat().st_size / 10
    network, packed = load_network(tmp_path / "packed")
    value = build_value(network)
    errors = [abs(value(int(c), packed) - value(int(c), training.weights)) for c in training.seats[0].log.cells[:500]]
    assert 0 < np.mean(errors) < 24 < max(errors) <= network.lookups * 96
    plan = saved_plan(tmp_path / "packed")
    resumed = Training.resume(tmp_path / "packed", plan, threads=1)
    np.testing.assert_array_equal(rows(resumed.weights), rows(packed) * packed.step)
    assert (resumed.games, resumed.curve) == (training.games, training.curve)
    assert not rows(resumed.memory).any()
    wider = replace(plan, network=parse_network(" ".join([*network.tuples, "089a"])))
    grown = Training.resume(tmp_path / "packed", wider, threads=1)
    assert build_value(wider.network)(0x1234, grown.weights) == build_value(network)(0x1234, packed)
    assert "is packed already" in contienda("pack", tmp_path / "packed", "--out", tmp_path / "twice").complaint


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    path = tmp_path_factory.mktemp("nets") / "net"
    Training(TrainingPlan(SMALL, "tc", 1.0), 1).run(path, games=20, seconds=None)
    return path


def test_a_cut_file_is_refused(net, tmp_path):
    cut = tmp_path / "cut"
    for length in (10, 50, 3000, net.stat().st_size - 1):
        cut.write_bytes(net.read_bytes()[:length])
        with pytest.raises(BadInput, match=r"not a network file|incomplete or damaged"):
            load_network(cut)
    assert (
        "incomplete or damaged"
        in contienda("play", "2048", "--player", f"expectimax:depth=1,eval=ntuple:{cut}").complaint
    )


def test_what_is_no_network_is_refused(net, tmp_path):
    (tmp_path / "text").write_text("hello")
    with pytest.raises(BadInput, match="is not a network file"):
        load_network(tmp_path / "text")
    with pytest.raises(BadInput, match="cannot read"):
        load_network(tmp_path / "nothing")
    game = make_game("2048")
    with pytest.raises(BadInput, match="is not a network for connect4"):
        make_player(f"minimax:eval=ntuple:{net}", make_game("connect4"))
    with pytest.raises(BadInput, match="no weight 'empty'"):
        make_player(f"expectimax:eval=ntuple:{net},empty=3", game)


def test_another_layout_is_refused(net):
    other = parse_network("4x5")
    with pytest.raises(BadInput, match="is a network 2x4, and 4x5 lacks some of its tuples"):
        Training.resume(net, TrainingPlan(other, "tc", 1.0), 1)


def test_stages_may_be_added_and_not_changed(tmp_path):
    network = replace(SMALL, stages=(0, 512))
    Training(TrainingPlan(network, "td", 0.1), 1).save(tmp_path / "net")
    more = replace(network, stages=(0, 512, 1024))
    Training.resume(tmp_path / "net", TrainingPlan(more, "td", 0.1), 1)
    with pytest.raises(BadInput, match="has stages at 512"):
        Training.resume(tmp_path / "net", TrainingPlan(SMALL, "td", 0.1), 1)


def test_tuples_may_be_added_and_every_board_is_worth_what_it_was(tmp_path):
    small = replace(SMALL, stages=(0, 64))
    before = Training(TrainingPlan(small, "tc", 1.0), 1)
    before.weights = random_weights(small)
    rows(before.memory)[:] = 1.0
    before.save(tmp_path / "net")
    large = replace(small, tuples=("0145", small.tuples[1], "01256", small.tuples[0]))
    after = Training.resume(tmp_path / "net", TrainingPlan(large, "tc", 1.0), 1)
    value, grown = build_value(small), build_value(large)
    for ranks in np.random.default_rng(1).integers(0, 8, (50, 16)).tolist():
        board = cells_of(ranks)
        assert value(board, before.weights) == pytest.approx(grown(board, after.weights), rel=1e-5)
    assert np.count_nonzero(rows(after.memory)) == np.count_nonzero(rows(before.memory))


def test_more_weights_than_a_machine_can_hold_are_refused():
    with pytest.raises(BadInput, match="does not fit in this machine's memory"):
        new_weights(parse_network("0123456789abcdef"))


def test_what_does_not_fit_into_memory_is_refused(net, monkeypatch):
    monkeypatch.setattr(memory, "free_megabytes", lambda: 0)
    with pytest.raises(BadInput, match=r"takes 1 MB of memory, and 0 MB are free"):
        Training(TrainingPlan(SMALL, "tc", 1.0), 1)
    monkeypatch.setattr(memory, "free_megabytes", lambda: -1)
    with pytest.raises(BadInput, match=r"of memory, and -1 MB are free"):
        load_network(net)


@pytest.mark.parametrize("text", ["", "4x7", "0123 45x7", "0011", "3210", "0123 0123", "0123456789abcdef0"])
def test_networks_that_are_none(text):
    with pytest.raises(BadInput):
        parse_network(text)


@pytest.mark.parametrize("text", ["", "a", "0", "16384,8192", "65536", "16384,", "-5"])
def test_stages_that_are_none(text):
    with pytest.raises(BadInput):
        parse_stages(text)


def test_every_named_network_can_be_read():
    for name in NETWORKS:
        assert str(parse_network(name)) == name
    assert parse_network("4x6").size == 4 * 16**6


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["2048"], "set the length of the training with --games N or --hours H"),
        (["othello", "--games", "5"], "othello cannot be learned"),
        (["2048", "--games", "0"], "--games 0 must be at least 1"),
        (["2048", "--games", "5", "--method", "sarsa"], "no method 'sarsa': there are td, tc"),
        (["2048", "--games", "5", "--lambda", "2"], "lambda 2 must be from 0 to 1"),
        (["2048", "--games", "5", "--carousel"], "a carousel needs stages"),
        (["2048", "--games", "5", "--network", "012345678"], "MB of memory"),
    ],
)
def test_the_command_line_says_what_is_wrong(arguments, complaint, tmp_path):
    ran = contienda("train", *arguments, "--out", tmp_path / "net")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert complaint in ran.err
    assert not (tmp_path / "net").exists()


def test_a_folder_that_cannot_be_written_is_said_before_an_hour_of_training(tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot" in contienda("train", "2048", "--games", 5, "--out", tmp_path / "file" / "net").complaint


def test_the_head_says_how_a_network_was_trained(net: Path):
    network, head = read_head(net)
    assert network == SMALL
    assert head["plan"]["method"] == "tc"
    assert head["progress"]["games"] == 20
    assert os.path.exists(f"{net}.csv")
