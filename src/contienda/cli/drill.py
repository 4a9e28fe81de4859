"""``contienda tables drill``: endgames from the tables; every move of yours is graded."""

from __future__ import annotations

import secrets

from rich.console import Console

from contienda.cli.draw import draw_board
from contienda.cli.keys import at_a_terminal, single_keys
from contienda.compiled.rng import generator
from contienda.core.game import MAX, Game, State
from contienda.core.language import BadInput, Text, say
from contienda.games import games_with, make_game
from contienda.tables.drill import Grade, new_endgame, play_move
from contienda.tables.shelf import open_shelf

__all__ = ["run_drill"]

_VERDICTS = {
    "best": Text("the best move"),
    "good": Text("good"),
    "inaccurate": Text("inaccurate"),
    "mistake": Text("a mistake"),
}
_ENDINGS = {
    "made": Text("Made it!"),
    "moved": Text("The large tiles have moved."),
    "unknown": Text("No table knows this: the endgame is over."),
    "stuck": Text("No move is left."),
}
_STYLES = {"best": "green", "good": "green", "inaccurate": "yellow", "mistake": "red"}


def run_drill(table: str | None, seed: int | None, console: Console) -> None:
    """Play one endgame: moves come from the arrow keys, or as words from the input, one per line."""
    game, shelf = make_game(games_with("tables")[0]), open_shelf()
    rng = generator(secrets.randbits(63) if seed is None else seed)
    endgame = new_endgame(shelf, rng, table)
    state, goal = endgame.state, endgame.table.pattern.goal
    console.print(
        say(
            "Make a second {goal} without moving the large tiles ({name}).", goal=goal, name=endgame.table.pattern.name
        ),
        highlight=False,
    )
    moves, lost, ended = 0, 0.0, ""
    while not ended:
        console.print(draw_board(game, state))
        action = _ask(game, state)
        if action is None:
            break
        answer = play_move(state, action, shelf, rng)
        if answer.grade is not None:
            moves, lost = moves + 1, lost + answer.grade.best - answer.grade.chance
            _tell(game, state, answer.grade, console)
        state, ended = answer.after, answer.ended
    if ended:
        console.print(str(_ENDINGS[ended]), highlight=False)
    console.print(
        say("{moves} moves; they cost {lost:,.1f} % of the chance", moves=moves, lost=100 * lost), highlight=False
    )


def _tell(game: Game, state: State, graded: Grade, console: Console) -> None:
    words = say("{verdict}: {chance:,.1f} %", verdict=_VERDICTS[graded.verdict], chance=100 * graded.chance)
    if graded.verdict != "best":
        best = game.action_name(state, graded.best_move)
        words += " – " + say("{move} has {best:,.1f} %", move=best, best=100 * graded.best)
    console.print(words, style=_STYLES[graded.verdict], highlight=False)


def _ask(game: Game, state: State) -> int | None:
    """The next move; None at the end of the input."""
    assert game.rules.turn(state) == MAX
    arrows = {game.gesture(state, action).direction: action for action in game.legal_actions(state)}
    while True:
        try:
            if at_a_terminal():
                with single_keys() as read:
                    key = read()
                if key in arrows:
                    return arrows[key]
                continue
            word = input().strip()
        except (EOFError, KeyboardInterrupt):
            return None
        try:
            action = game.action_number(state, word)
        except BadInput as error:
            print(f"contienda: {error}")
            continue
        if action in arrows.values():
            return action
        print(say("{word} changes nothing here", word=word))
