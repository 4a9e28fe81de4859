"""The phrases of a trace, in both languages: the one table that the texts, the pages and the app all speak from.

A name in braces is filled in by whoever speaks: `contienda.trace.words` here, ``tree/narrate.js`` in the app, which is
given the table with its catalogue.
"""

from __future__ import annotations

from contienda.language import Text

__all__ = ["KIND_NAMES", "MOVE_NAMES", "PHRASES", "STATUS_NAMES", "move_name", "phrase", "spoken"]

KIND_NAMES = {
    "max": Text("MAX", "MAX"),
    "min": Text("MIN", "MIN"),
    "chance": Text("chance", "azar"),
    "leaf": Text("leaf", "hoja"),
    "cut": Text("cut", "podado"),
    "state": Text("state", "estado"),
}

#: Where a node of a path search stands: waiting, expanded, thrown away, left again, or the goal.
STATUS_NAMES = {
    "open": Text("open", "abierto"),
    "closed": Text("closed", "cerrado"),
    "pruned": Text("pruned", "podado"),
    "undone": Text("undone", "deshecho"),
    "goal": Text("goal", "meta"),
}

#: Moves that are words; tiles, columns and cells are written alike in both languages.
MOVE_NAMES = {
    "up": Text("up", "arriba"),
    "right": Text("right", "derecha"),
    "down": Text("down", "abajo"),
    "left": Text("left", "izquierda"),
}


def move_name(moves: str) -> Text:
    """A move, or several with blanks between them, as each language has it."""
    words = [MOVE_NAMES.get(move, Text(move, move)) for move in moves.split(" ")]
    return Text(" ".join(word.en for word in words), " ".join(word.es for word in words))


PHRASES = {
    "start": Text("Before the first step. Go on with →, or play.", "Antes del primer paso. Sigue con →, o reproduce."),
    "root": Text("the root", "la raíz"),
    # A move that is but a number, by the game.
    "tree.move": Text("branch {n}", "la rama {n}"),
    "connect4.move": Text("column {n}", "la columna {n}"),
    "tictactoe.move": Text("cell {n}", "la casilla {n}"),
    # Looking ahead.
    "enter": Text("Enter {name}: {kind}", "Entra en {name}: {kind}"),
    "leave": Text(
        "Back from {name} with {value}; {kind} has {best} so far", "Vuelve de {name} con {value}; {kind} lleva {best}"
    ),
    "leave.chance": Text(
        "Back from {name} with {value}; the sum is {best} so far", "Vuelve de {name} con {value}; la suma va por {best}"
    ),
    "window": Text(", window {window}", ", ventana {window}"),
    "hit": Text("The table knows this position: {value}", "La tabla conoce esta posición: {value}"),
    # Simulations.
    "select": Text("Simulation {k}, selection: {name}{why}", "Simulación {k}, selección: {name}{why}"),
    "select.ucb": Text(", the largest UCB, {bound}", ", el mayor UCB, {bound}"),
    "select.luck": Text(", as luck has it", ", según el azar"),
    "expand": Text("Simulation {k}, expansion: {name} is new", "Simulación {k}, expansión: {name} es nuevo"),
    "simulate": Text("Simulation {k}: the playout comes to {result}", "Simulación {k}: la partida acaba en {result}"),
    "backpropagate": Text(
        "Simulation {k}, backpropagation: {name} has {n} visits, mean {mean}",
        "Simulación {k}, retropropagación: {name} tiene {n} visitas, media {mean}",
    ),
    "backpropagate.one": Text(
        "Simulation {k}, backpropagation: {name} has 1 visit, mean {mean}",
        "Simulación {k}, retropropagación: {name} tiene 1 visita, media {mean}",
    ),
    # Paths.
    "make": Text("Made {name}: {cost}", "Crea {name}: {cost}"),
    "take": Text(
        "Expansion {k}: {name}; {open} open, {closed} closed",
        "Expansión {k}: {name}; {open} abiertos, {closed} cerrados",
    ),
    "better": Text(
        "A better way to state {node}, by {move}: {cost}", "Un camino mejor al estado {node}, por {move}: {cost}"
    ),
    "known": Text("By {move} back to state {node}: nothing new", "Con {move} se vuelve al estado {node}: nada nuevo"),
    "prune": Text("Pruned {name}: {value}", "Poda {name}: {value}"),
    "undo": Text("Nothing left to try: undo {name}", "Nada más que probar: deshace {name}"),
    "limit": Text("Again from the root, up to f = {limit}", "Otra vez desde la raíz, hasta f = {limit}"),
    "goal": Text("The goal: state {node}, cost {cost}", "La meta: estado {node}, coste {cost}"),
}


def phrase(key: str, **values: Text | str | int) -> Text:
    """A phrase with its names filled in."""

    def filled(language: str) -> str:
        own = {name: getattr(value, language, value) for name, value in values.items()}
        return str(getattr(PHRASES[key], language)).format(**own)

    return Text(filled("en"), filled("es"))


def spoken() -> dict[str, Text]:
    """All of it in one table, as the app is given it."""
    kinds = {f"kind.{kind}": name for kind, name in KIND_NAMES.items()}
    moves = {f"move.{move}": name for move, name in MOVE_NAMES.items()}
    return PHRASES | kinds | moves | {f"status.{status}": name for status, name in STATUS_NAMES.items()}
