"""``contienda lab heuristic``, ``sweep``, ``tune``, ``test``, ``grade`` and ``reproduce``: ready-made experiments."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from contienda.cli.arguments import (
    PLAYED_GAMES,
    SEED,
    GameArgument,
    JsonOption,
    SolvedGameOption,
    TargetOption,
    ThreadsOption,
    read_target,
    within,
)
from contienda.cli.files import file_to_write, folder_to_write
from contienda.cli.lab.options import (
    ClusterOption,
    PlayerArgument,
    ProcessesOption,
    ScoredGameOption,
    where_to_play,
)
from contienda.cli.typer_texts import Command
from contienda.core.language import say
from contienda.games import DEFAULT_GAME

__all__ = ["studies"]

studies = typer.Typer()

FirstSeedOption = Annotated[int, typer.Option("--seed", callback=SEED, help=say("the first seed"))]


@studies.command("heuristic", cls=Command, help=say("Play your own heuristic against the evaluators of a game."))
def heuristic_(
    heuristic: Annotated[
        str, typer.Argument(metavar="HEURISTIC", help=say("for example mine.py:corner, with its weights if you like"))
    ],
    game: GameArgument,
    against: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="NAME", help=say("an evaluator to compare with (default: all of the game)")),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", callback=PLAYED_GAMES, help=say("games against each"))
    ] = 100,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            metavar="N",
            callback=within(1, 100),
            help=say("levels that each player looks ahead (default: 3; 1 in a one-player game)"),
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RESULTS", help=say("default: a file named after the heuristic")),
    ] = None,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
) -> None:
    from contienda.cli.lab.run import go_on
    from contienda.games import make_game
    from contienda.lab.comparing import comparison_plan
    from contienda.lab.results import Results

    where = where_to_play(threads, processes, None)
    plan = comparison_plan(heuristic, make_game(game), against or (), games, depth)
    out = out or Path(f"{plan.name}.sqlite")
    file_to_write(out)
    with closing(Results(out, plan)) as results:
        go_on(results, where)


@studies.command(cls=Command, help=say("Measure the effect of each weight of a player."))
def sweep(
    player: PlayerArgument,
    game: ScoredGameOption = DEFAULT_GAME,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="RESULTS", help=say("a results file, .sqlite")),
    ] = Path("sweep.sqlite"),
    games: Annotated[int, typer.Option("--games", callback=PLAYED_GAMES, help=say("games per value"))] = 100,
    weight: Annotated[
        list[str] | None, typer.Option("--weight", metavar="NAME", help=say("vary only this weight"))
    ] = None,
    seed: FirstSeedOption = 1,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab.tune import run_sweep
    from contienda.lab.sensitivity import sweep_plan

    where = where_to_play(threads, processes, cluster)
    file_to_write(out)
    file_to_write(out.with_suffix(".svg"))
    run_sweep(sweep_plan(player, game, games=games, names=weight or (), seed=seed), out, where)


@studies.command(cls=Command, help=say("Tune the weights of a player: by playing games (CMA-ES), or from saved games."))
def tune(
    player: PlayerArgument,
    game: ScoredGameOption = DEFAULT_GAME,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help=say("a log of what was tried, to resume from")),
    ] = Path("tune.jsonl"),
    games: Annotated[int, typer.Option("--games", callback=PLAYED_GAMES, help=say("games per candidate"))] = 50,
    budget: Annotated[int, typer.Option("--budget", callback=PLAYED_GAMES, help=say("games in total"))] = 5000,
    population: Annotated[
        int,
        typer.Option(
            "--population",
            callback=within(4, 10_000),
            help=say("candidates per generation"),
        ),
    ] = 10,
    seed: FirstSeedOption = 1,
    check: Annotated[
        int,
        typer.Option(
            "--check",
            callback=PLAYED_GAMES,
            help=say("games for the final comparison, on new seeds"),
        ),
    ] = 500,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help=say("learn from the saved games in this folder (least squares)")),
    ] = None,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab.tune import run_learning, run_tuning
    from contienda.lab.tune import Tuning

    where = where_to_play(threads, processes, cluster)
    file_to_write(out)
    file_to_write(out.with_suffix(".check.sqlite"))
    tuning = Tuning(player, games, budget, population, seed, game)
    if source is None:
        run_tuning(tuning, out, check, where)
    else:
        run_learning(tuning, source, out, check, where)


@studies.command(
    "test",
    cls=Command,
    help=say("Find out which of two players is better, with a sequential test."),
)
def compare(
    game: GameArgument,
    first: PlayerArgument,
    second: PlayerArgument,
    elo0: Annotated[float, typer.Option("--elo0", metavar="X", help=say("null hypothesis, in Elo"))] = 0.0,
    elo1: Annotated[
        float, typer.Option("--elo1", metavar="X", help=say("alternative, in Elo: two-player games"))
    ] = 20.0,
    gain: Annotated[
        float,
        typer.Option("--gain", metavar="X", help=say("alternative, as a share of the mean score: one-player games")),
    ] = 0.05,
    alpha: Annotated[
        float, typer.Option("--alpha", metavar="X", help=say("false positive rate: equal players judged different"))
    ] = 0.05,
    beta: Annotated[
        float, typer.Option("--beta", metavar="X", help=say("false negative rate: a better player not recognised"))
    ] = 0.05,
    most: Annotated[
        int, typer.Option("--most", metavar="N", callback=PLAYED_GAMES, help=say("maximum number of games"))
    ] = 10_000,
    opening: Annotated[
        int | None,
        typer.Option(
            "--opening",
            metavar="N",
            callback=within(0, 20),
            help=say("random opening moves (default: 4, or fewer in short games)"),
        ),
    ] = None,
    target: TargetOption = "none",
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("seed of the first game"))] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="RESULTS", help=say("save the games, so that a stopped test can resume")),
    ] = None,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.lab.sequential import Question, run_test
    from contienda.lab.sequential import Hypotheses, read_hypotheses

    hypotheses = read_hypotheses(str(Hypotheses(elo0, elo1, gain, alpha, beta)))
    if out is not None:
        file_to_write(out)
    question = Question(game, first, second, hypotheses, most, seed, opening, read_target(target))
    run_test(question, where_to_play(threads, processes, cluster), out, as_json)


@studies.command(
    cls=Command,
    help=say("Grade players by how often they make the best move."),
)
def grade(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="alphabeta:depth=4 mcts:sims=1000 …")],
    game: SolvedGameOption = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="SPEC",
            help=say("the player that values the moves (default: exact values, else the game's default player)"),
        ),
    ] = None,
    positions: Annotated[
        int,
        typer.Option(
            "--positions",
            metavar="N",
            callback=within(1, 1000),
            help=say("positions in all; with exact values, for each stage of the game"),
        ),
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("seed of the sample"))] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.csv", help=say("save every answer, and a figure")),
    ] = None,
) -> None:
    from contienda.cli.lab.grade import run_grading
    from contienda.games import games_with

    run_grading(players, game or games_with("exact")[0], judge, positions, seed, out)


@studies.command(
    cls=Command,
    help=say("Reproduce the experiments of a document: uc3m, unicen, uja, uma, ort or all."),
)
def reproduce(
    document: Annotated[str, typer.Argument(metavar="DOCUMENT", help="uc3m, unicen, uja, uma, ort, all")],
    quick: Annotated[bool, typer.Option("--quick", help=say("fewer games, depths up to 5"))] = False,
    times: Annotated[
        bool, typer.Option("--times", help=say("measure the times again; the games must be the same as before"))
    ] = False,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help=say("the folder for the results"))] = Path(
        "reproduction"
    ),
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab.reproduce import run_reproduction
    from contienda.lab.reproduce import document_names

    where = where_to_play(threads, processes, cluster)
    document_names(document)
    folder_to_write(out)
    run_reproduction(document, out, where, quick=quick, again=times)
