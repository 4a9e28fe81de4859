"""``contienda perfect``: solves 2048 completely on a small board."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer
from rich.console import Console

from contienda.cli.arguments import JsonOption, ThreadsOption, print_json
from contienda.cli.typer_texts import Command
from contienda.core.language import number, say

__all__ = ["exact"]

exact = typer.Typer()


@exact.command(
    cls=Command,
    help=say("Solve 2048 on a small board and save its values for the player perfect."),
)
def perfect(
    game: Annotated[str, typer.Argument(metavar="GAME", help="2048:rows=3,columns=3")],
    threads: ThreadsOption = None,
    again: Annotated[bool, typer.Option("--again", help=say("solve it even if it has been solved before"))] = False,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.play import cores

    data = solve_board(game, threads or cores(), again)
    print_json(data) if as_json else _show(data, Console())


def solve_board(game_spec: str, threads: int, again: bool) -> dict[str, Any]:
    """Solve a board, or load its solution; return what ``--json`` prints."""
    from contienda.games import make_game
    from contienda.perfect.layers_2048 import check_solvable, expected_score
    from contienda.perfect.values_2048 import load_values, save_values, values_file

    game = check_solvable(make_game(game_spec))
    file = values_file(game)
    begin = time.perf_counter()
    known = file.exists() and not again
    if known:
        record = load_values(file, game)
    else:
        record = _solve_now(game, threads)
        save_values(file, game, record)
    return {
        "game": game.spec,
        "expected_score": expected_score(game, record),
        "states": int(record.states),
        "afterstates": int(record.length - record.layers),
        "seconds": time.perf_counter() - begin,
        "solved_before": known,
        "file": str(file),
    }


def _solve_now(game: Any, threads: int) -> Any:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from contienda.perfect.layers_2048 import enumerate_layers, solve_layers

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("<"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        finding = bar.add_task(say("find all boards"), total=None)
        layers = []
        found = 0
        for layer in enumerate_layers(game, threads):
            layers.append(layer)
            found += len(layer.afterstates)
            bar.update(finding, description=say("find all boards: {found:,}", found=found))
        bar.update(finding, total=1, completed=1)
        valuing = bar.add_task(say("compute their values"), total=found)
        return solve_layers(game, layers, threads, lambda solved: bar.update(valuing, completed=solved))


def _show(data: dict[str, Any], console: Console) -> None:
    score, states, seconds = (number(data[key], how) for key, how in _SHOWN.items())
    told = say("{game}: perfect play scores {score} points on average", game=data["game"], score=score)
    console.print(told, highlight=False)
    console.print(say("{states} boards, {seconds} s", states=states, seconds=seconds), style="dim", highlight=False)
    console.print(data["file"], style="dim", highlight=False, soft_wrap=True)


_SHOWN = {"expected_score": ",.2f", "states": ",", "seconds": ",.1f"}
