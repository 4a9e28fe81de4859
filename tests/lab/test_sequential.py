"""Sequential tests: their error rates hold, and their results do not depend on how games are played."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import forked
import numpy as np
import pytest
from drive import contienda

from contienda.core.language import BadInput
from contienda.lab.sequential import (
    Hypotheses,
    read_hypotheses,
    score_of_elo,
    sequence_margin,
    weigh_differences,
    weigh_pairs,
)

POINTS = np.array([0, 0.5, 1, 1.5, 2])


def pairs_of(elo, draws=0.3):
    """How likely each number of points is, of two independent games at this difference."""
    won = score_of_elo(elo) - draws / 2
    game = np.array([1 - draws - won, draws, won])
    return np.convolve(game, game)


def verdict(points, hypotheses, every=16):
    for n in range(every, len(points) + 1, every):
        found = weigh_pairs(points[:n], hypotheses)
        if found.decided:
            return found
    return found


def simulated(elo, runs, hypotheses, most=3000):
    rng = np.random.default_rng(abs(round(elo)) + 7)
    found = [verdict(rng.choice(POINTS, most, p=pairs_of(elo)), hypotheses) for _ in range(runs)]
    return [each.verdict for each in found]


def test_llr_is_that_of_fishtest():
    """A worked example: the counts of a pentanomial test, and LLR by the quadratic form of its limit.

    For small differences the generalised LLR is N (s1 - s0)(2 m - s0 - s1) / (2 v) (Van den Bergh), m and v the mean
    and variance of a pair.
    """
    counts = [30, 200, 540, 210, 35]
    points = np.repeat(POINTS, counts)
    found = weigh_pairs(points, Hypotheses(elo0=0, elo1=5))
    shares = np.array(counts) / sum(counts)
    mean = shares @ POINTS / 2
    variance = shares @ (POINTS / 2 - mean) ** 2
    s0, s1 = score_of_elo(0), score_of_elo(5)
    assert found.llr == pytest.approx(sum(counts) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), rel=0.01)
    assert found.counts == tuple(counts)


def test_both_sides_of_a_test_are_alike():
    points = np.repeat(POINTS, [3, 10, 20, 15, 9])
    ours, theirs = weigh_pairs(points, Hypotheses()), weigh_pairs(2 - points, Hypotheses())
    assert ours.llr == pytest.approx(theirs.llr_second)
    assert ours.difference.value == pytest.approx(-theirs.difference.value)
    assert ours.los == pytest.approx(1 - theirs.los)
    assert ours.difference.low < ours.difference.value < ours.difference.high


def test_equal_players_are_seldom_told_apart_and_better_ones_seldom_missed():
    hypotheses = Hypotheses(elo1=60)
    assert simulated(0, 60, hypotheses).count("none") >= 52  # 57 of 60 are promised
    assert simulated(60, 60, hypotheses).count("first") >= 52
    assert simulated(-60, 60, hypotheses).count("second") >= 52


@pytest.mark.slow
def test_the_errors_are_what_is_promised():
    hypotheses = Hypotheses(elo1=40)
    runs = 600
    slack = 3 * (0.05 * 0.95 / runs) ** 0.5
    assert simulated(0, runs, hypotheses).count("none") / runs > 0.95 - slack
    assert simulated(40, runs, hypotheses).count("first") / runs > 0.95 - slack


def test_scores_on_the_same_seeds():
    rng = np.random.default_rng(1)
    luck = rng.exponential(1000, 400)
    better = weigh_differences(1.2 * luck + rng.normal(0, 200, 400), luck, Hypotheses(gain=0.1))
    assert better.verdict == "first"
    assert better.difference.low < 0.18 < better.difference.high
    same = weigh_differences(luck + rng.normal(0, 50, 400), luck, Hypotheses(gain=0.1))
    assert same.verdict == "none"
    assert same.decided


@pytest.mark.parametrize("scores", [([], []), ([5.0], [5.0]), ([5.0] * 30, [5.0] * 30), ([0.0] * 20, [0.0] * 20)])
def test_little_or_no_evidence_proves_nothing(scores):
    assert weigh_differences(*scores, Hypotheses()).verdict == "none"
    assert weigh_pairs([1.0] * len(scores[0]), Hypotheses()).verdict == "none"


def test_a_confidence_sequence_holds_at_all_times():
    """5 % of all sequences may ever leave it; a fixed interval looked at as often is left by a third of them."""
    rng = np.random.default_rng(0)
    looks = np.arange(50, 3001, 50)
    samples = rng.exponential(size=(400, 3000)) - 1
    means = np.cumsum(samples, axis=1)[:, looks - 1] / looks
    deviations = np.sqrt(np.cumsum(samples**2, axis=1)[:, looks - 1] / looks - means**2)
    margins = np.array([sequence_margin(int(n)) for n in looks])
    assert np.any(np.abs(means) > deviations * margins, axis=1).mean() < 0.07
    assert np.any(np.abs(means) > deviations * 1.96 / np.sqrt(looks), axis=1).mean() > 0.15


@pytest.mark.parametrize(
    "text", ["elo1=0", "elo0=-5", "elo0=30,elo1=20", "elo1=2000", "gain=0", "gain=1", "alpha=0.5", "beta=0", "elo=3",
             "alpha=nan"]
)  # fmt: skip
def test_hypotheses_that_cannot_be_are_refused(text):
    with pytest.raises(BadInput):
        read_hypotheses(text)


# --- The command ------------------------------------------------------------------------------------------------------

TEST = ("lab", "test", "tictactoe", "alphabeta:depth=9", "random", "--threads", 2)


def test_the_better_one_is_found_and_the_same_on_any_number_of_threads():
    data = contienda(*TEST, "--json").json
    assert data["verdict"] == "first"
    assert data["decided"]
    assert data["games"] == 2 * data["pairs"]
    assert data["elo"]["low"] > 0
    assert data["llr"] >= data["bounds"][1]
    assert contienda(*TEST[:-1], 1, "--json").json == data
    turned = contienda("lab", "test", "tictactoe", "random", "alphabeta:depth=9", "--json").json
    assert turned["verdict"] == "second"


def test_the_verdict_in_words():
    assert "alphabeta:depth=9 is better than random" in contienda(*TEST).out
    assert "alphabeta:depth=9 es mejor que random" in contienda(*TEST, "--lang", "es").out


def test_games_that_repeat_are_no_evidence():
    """Two searches that always do the same: from few openings only few games can differ."""
    players = ("alphabeta:depth=1", "alphabeta:depth=2")
    told = contienda("lab", "test", "tictactoe", *players, "--opening", 1, "--most", 200, "--json").json
    assert told["pairs"] <= 9
    assert told["repeated"] >= 90
    assert told["verdict"] == "none"
    assert not told["decided"]


def test_one_player_games_are_compared_seed_by_seed():
    data = contienda("lab", "test", "2048:rows=2,columns=2", "perfect", "random", "--gain", 0.1, "--json").json
    assert data["verdict"] == "first"
    assert data["gain"]["low"] > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("connect4", "random", "random"),
        ("connect4", "random", "nobody"),
        ("connect4", "random", "human"),
        ("2048", "random", "greedy", "--opening", "3"),
        ("2048", "random", "greedy", "--gain", "2"),
        ("connect4", "random", "greedy", "--elo1", "-3"),
        ("connect4", "random", "greedy", "--most", "0"),
        ("nogame", "random", "greedy"),
    ],
)
def test_bad_orders_are_refused_in_one_line(arguments):
    assert contienda("lab", "test", *arguments).complaint


def test_a_test_that_was_killed_goes_on_and_says_the_same(tmp_path):
    arguments = ["lab", "test", "tictactoe", "mcts:sims=300", "mcts:sims=200", "--most", "150", "--threads", "1"]
    whole = contienda(*arguments, "--json").json
    out = tmp_path / "kept.sqlite"
    command = [sys.executable, "-m", "contienda", *arguments, "--out", str(out)]
    running = forked.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ))
    while running.poll() is None and not (out.exists() and out.with_name("kept.sqlite-wal").exists()):
        time.sleep(0.05)
    running.kill()
    running.wait()
    assert contienda(*arguments, "--out", out, "--json").json == whole
    assert contienda("lab", "status", out).code == 0
