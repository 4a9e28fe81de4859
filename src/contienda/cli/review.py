"""``contienda review``: what each move of a saved game lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from contienda.cli.arguments import FileArgument, JsonOption, PlayerOption, print_json, within
from contienda.cli.files import file_to_write
from contienda.cli.typer_texts import Command
from contienda.core.language import number, say

__all__ = ["reviews"]

reviews = typer.Typer()


@reviews.command(
    cls=Command, help=say("Review a saved game with points, such as 2048: what each move lost, and the worst moves.")
)
def review(
    file: FileArgument,
    player: PlayerOption = None,
    worst: Annotated[
        int,
        typer.Option("--worst", metavar="N", callback=within(0, 1000), help=say("how many of the worst moves to show")),
    ] = 10,
    chart: Annotated[
        Path | None, typer.Option("--chart", metavar="FILE.svg", help=say("draw what each move lost into this file"))
    ] = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.compiled.stopping import Stop, in_time
    from contienda.core.files import write_atomically
    from contienda.players import make_player
    from contienda.players.review import critic_of, review_points
    from contienda.players.review import worst as worst_of
    from contienda.record import load_game

    if chart is not None:
        file_to_write(chart)
    played = load_game(file)
    game = played.game
    critic = critic_of(game)
    if player is not None:
        critic = make_player(player, game)
    total = (len(played.actions) + 1) // 2  # luck answers every move
    console, stop = Console(stderr=True), Stop()
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("<"), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        lost = in_time(
            lambda: review_points(
                game,
                played.start,
                played.actions,
                critic,
                stop=stop,
                progress=lambda judged: bar.update(task, completed=judged),
            ),
            stop,
        )
    if chart is not None:
        from contienda.lab.figures import svg_of
        from contienda.lab.figures.reviews import losses

        drawn = losses([one.loss for one in lost], critic.spec)
        write_atomically(chart, svg_of(drawn))
    data = {
        "game": game.spec,
        "critic": critic.spec,
        "moves": len(lost),
        "best_moves": sum(one.loss <= 0 for one in lost),
        "lost": sum(one.loss for one in lost),
        "worst": [_as_data(game, one) for one in worst_of(lost, worst)],
        "losses": [one.loss for one in lost],
    }
    print_json(data) if as_json else _show(game, data, [one.state for one in worst_of(lost, worst)], Console())


def _as_data(game: Any, one: Any) -> dict[str, Any]:
    return {
        "ply": one.ply,
        "position": game.format(one.state),
        "score": game.outcome(one.state)["score"],
        "move": one.move,
        "value": one.value,
        "best": one.best,
        "best_value": one.best_value,
        "lost": one.loss,
        "words": None if one.meaning is None else one.meaning.words.in_all_languages(),
        "best_words": None if one.best_meaning is None else one.best_meaning.words.in_all_languages(),
    }


def _show(game: Any, data: dict[str, Any], states: list[Any], console: Console) -> None:
    from contienda.cli.draw import draw_board
    from contienda.core.language import language

    for one, state in zip(data["worst"], states, strict=True):
        console.print(draw_board(game, state))
        words = say(
            "move {ply}: {move} lost {lost} points; {best} was best",
            ply=one["ply"],
            move=one["move"],
            lost=number(one["lost"], ",.0f"),
            best=one["best"],
        )
        told = [one[key][language()] for key in ("words", "best_words") if one[key] is not None]
        console.print(words + (f" ({' – '.join(told)})" if told else ""), style="bold", highlight=False)
    console.print(
        say(
            "{best} of {moves} moves were the best; all together lost {lost} points, by {critic}",
            best=number(data["best_moves"]),
            moves=number(data["moves"]),
            lost=number(data["lost"], ",.0f"),
            critic=data["critic"],
        ),
        highlight=False,
        markup=False,
    )
