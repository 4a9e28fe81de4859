"""A network that learns a game for two by playing against itself: that it learns, resumes, is symmetric, and plays."""

from __future__ import annotations

import numpy as np
import pytest
from drive import contienda

from contienda.compiled.rows import rows
from contienda.core.language import BadInput
from contienda.evaluation.cell_network import (
    build_cell_evaluate,
    build_cell_value,
    parse_cell_network,
    read_cells,
    shared_cells,
    tuples_of,
)
from contienda.games import make_game
from contienda.learning.duel import DuelPlan, DuelTraining
from contienda.players import make_player

#: Small, so that it is learnt in seconds.
GAME = make_game("connect4:rows=4,columns=5,connect=3")
PLAN = DuelPlan(parse_cell_network("12x4", GAME, 1), point=500)


def test_cells_as_the_mover_sees_them():
    """0 empty in the air, 1 empty and next, 2 MAX's, 3 MIN's; two phases, by whose turn it is."""
    game = make_game("connect4")
    state = game.parse("445")
    board = np.zeros(42, np.uint64)
    game.cells.fill(state, board)
    assert board.reshape(6, 7)[3:].tolist() == [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 3, 1, 0, 0], [1, 1, 1, 2, 2, 1, 1]]
    assert [game.cells.phase(game.parse(text)) for text in ("", "4", "44")] == [0, 1, 0]


def test_tuples_are_walks_over_the_board():
    for walk in tuples_of(parse_cell_network("30x6", make_game("connect4"), 5), 6, 7):
        cells = {divmod(int(cell), 7) for cell in walk}
        assert len(cells) == 6
        reached = {min(cells)}
        for _ in cells:
            reached |= {c for c in cells for r in reached if max(abs(c[0] - r[0]), abs(c[1] - r[1])) == 1}
        assert reached == cells or len(reached) > 1


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A network before and after 3,000 games, as points of its curve, and its file."""
    training, path = DuelTraining(GAME, PLAN), tmp_path_factory.mktemp("duel") / "small.net"
    training.compile()
    before = training.examined()
    while training.games < 3000:
        training.play_on(3000, 1e9)
    training.save(path)
    return before, training, path


def test_it_learns(trained):
    before, training, _ = trained
    assert before.score < 0.5
    assert training.curve[-1].score > before.score + 0.2
    assert [point.games for point in training.curve] == [500, 1000, 1500, 2000, 2500, 3000]


def test_a_value_is_the_movers_and_the_same_in_the_mirror(trained):
    _, training, path = trained
    network, weights = shared_cells(path, GAME)
    value, evaluate = build_cell_value(network, GAME), build_cell_evaluate(network, GAME)
    for text, mirrored in (("1", "5"), ("12", "54"), ("3312", "3354"), ("11524", "55142")):
        state, image = GAME.parse(text), GAME.parse(mirrored)
        worth = value(GAME.rules.seen_by_mover(state), weights)
        assert worth == pytest.approx(value(GAME.rules.seen_by_mover(image), weights), abs=1e-6)
        assert -1 < worth < 1
        # To MAX, whoever moves: minus the mover's where MIN moves. By hand: the sum of the weights, through tanh.
        assert evaluate(state, weights) == pytest.approx(1000 * worth * (1 if len(text) % 2 == 0 else -1))
    assert rows(weights).tolist() == rows(training.weights).tolist()


def test_an_interrupted_run_is_one_that_was_not(tmp_path):
    whole, first = DuelTraining(GAME, PLAN), DuelTraining(GAME, PLAN)
    whole.play_on(400, 1e9)
    first.play_on(150, 1e9)
    first.save(tmp_path / "half.net")
    second = DuelTraining.resume(tmp_path / "half.net", GAME)
    assert second.games == 150
    second.play_on(400, 1e9)
    assert rows(second.weights).tolist() == rows(whole.weights).tolist()
    assert second.moves == whole.moves


def test_it_plays_by_the_network(trained, tmp_path):
    _, _, path = trained
    data = contienda("hint", GAME.spec, "33", "--player", f"alphabeta:depth=3,eval=ntuple:{path}", "--json").json
    assert len(data["moves"]) == 5
    evaluated = contienda("evaluate", GAME.spec, "33", "--eval", f"ntuple:{path}", "--json").json
    assert evaluated["terms"] == {"network": evaluated["value"]}
    # A win is still a win by the rules.
    assert make_player(f"greedy:eval=ntuple:{path}", GAME).analyse(GAME.parse("1122")).best == "3"


def test_packed_it_plays_as_well_from_half_the_space(trained, tmp_path):
    _, _, path = trained
    packed = tmp_path / "small.packed"
    ran = contienda("pack", path, "--out", packed)
    assert ran.code == 0, ran.err
    assert "weights of 16 bits" in ran.out
    assert packed.stat().st_size < path.stat().st_size / 4  # no sums either
    (_, weights), (_, rounded) = shared_cells(path, GAME), shared_cells(packed, GAME)
    assert rows(rounded) == pytest.approx(rows(weights), rel=1e-3, abs=1e-6)
    again = contienda("pack", packed, "--out", tmp_path / "twice.packed")
    assert again.code == 2
    assert "is packed already" in again.err


def test_trained_on_the_command_line(tmp_path):
    out = tmp_path / "c4.net"
    order = ["train", GAME.spec, "--network", "12x4", "--seed", 1, "--threads", 1, "--out", out]
    ran = contienda(*order, "--games", 1000)
    assert ran.code == 0, ran.err
    assert "network 12x4 for connect4:rows=4,columns=5,connect=3: 6,144 weights" in ran.out
    assert "of the points against a two-ply search" in ran.out
    assert (tmp_path / "c4.net.csv").read_text().startswith("games,moves,won,drawn,seconds\n1000,")
    assert contienda("train", GAME.spec, "--resume", out, "--games", 1200, "--out", out).code == 0
    assert read_cells(out, GAME)[1]["games"] == 1200


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            ["connect4", "--games", 10, "--network", "4x60"],
            "'4x60' is not a network for connect4: write 40x5, 70x6, 70x7, 70x8",
        ),
        (["connect4", "--games", 10, "--carousel"], "--carousel is for one-player games; connect4 has two"),
        (["othello", "--games", 10], "othello cannot be learned"),
        (["connect4"], "set the length of the training with --games N or --hours H"),
        (["connect4", "--games", 10, "--alpha", 2], "alpha 2 must be above 0, at most 1"),
    ],
)
def test_what_cannot_be_trained(more, told, tmp_path):
    assert told in contienda("train", *more, "--out", tmp_path / "x.net").complaint


def test_files_that_are_no_network_of_this_game(trained, tmp_path):
    _, _, path = trained
    whole, broken = path.read_bytes(), tmp_path / "broken.net"
    for data in (whole[:-1], whole + b"x", whole.replace(b'"count": 12', b'"count": 13'), whole[:40], b""):
        broken.write_bytes(data)
        with pytest.raises(BadInput, match=r"damaged|not a network"):
            shared_cells(broken, GAME)
    complaint = contienda("hint", "connect4", "44", "--player", f"greedy:eval=ntuple:{path}").complaint
    assert complaint == f"{path} was trained for {GAME.spec}, not connect4"
    assert (
        "Contienda has no network for connect4:rows=5"
        in contienda("hint", "connect4:rows=5", "44", "--player", "greedy:eval=ntuple").complaint
    )
