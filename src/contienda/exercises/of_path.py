"""Questions about A* and its relatives: the value f of a state, and which state is expanded next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from contienda.core.language import BadInput, Text
from contienda.exercises.exercise import Ask
from contienda.exercises.question import Case, Chosen, ExerciseQuestion
from contienda.trace.model import Step, Trace, number_text
from contienda.trace.path import PathNode
from contienda.trace.telling import tell

__all__ = ["path_questions"]


def path_questions(trace: Trace, asked: list[Ask]) -> Iterator[ExerciseQuestion]:
    """Yield the questions about a path search that keeps a list of open states."""
    if trace.deep or not any(step.do == "expand" for step in trace.steps):
        raise BadInput("there are no exercises about {player} yet: ask about astar or best-first", player=trace.player)
    nodes = [node for node in trace.nodes if isinstance(node, PathNode)]
    for ask in asked:
        if ask.kind == "next":
            yield _expanded(trace, nodes, ask)
        elif ask.kind == "values":
            yield from _sums(trace, nodes, ask)
        else:
            raise BadInput(
                "{ask}: of a path search ask values, or next after a number of expansions: next=2", ask=str(ask)
            )


def _step_of(trace: Trace, moment: int) -> Text:
    return tell(trace, trace.steps[moment - 1]).sentence


def _key(node: PathNode) -> str:
    return str(node.id)


# --- f = g + h -------------------------------------------------------------------------------------------------------


def _sums(trace: Trace, nodes: list[PathNode], ask: Ask) -> Iterator[ExerciseQuestion]:
    """Ask for f of a state, by its number; by default of the states that the first expansion generates."""
    if nodes[0].key != "f":
        raise BadInput("values: {player} has no f = g + h; ask about astar", player=trace.player)
    made = {step.node: i + 1 for i, step in reversed(list(enumerate(trace.steps))) if step.do == "make"}
    if ask.where:
        if not ask.where.isdigit() or int(ask.where) not in made or int(ask.where) == 0:
            raise BadInput("{ask}: no state {where!r}; they are numbered from 1", ask=str(ask), where=ask.where)
        chosen = [nodes[int(ask.where)]]
    else:
        chosen = [node for node in nodes[1:] if node.parent == 0 and node.id in made]
    for node in chosen:
        moment = made[node.id]
        facts = trace.steps[moment - 1].facts
        if facts["value"] is None or facts["h"] is None:
            raise BadInput("{ask}: the search does not know f there", ask=str(ask))
        g, h, f = (number_text(facts[name]) for name in ("g", "h", "value"))
        total = Text("f = g + h = {g} + {h} = {f}", g=g, h=h, f=f)
        yield ExerciseQuestion(
            f"values:{node.id}",
            "values",
            "number",
            Text(
                "What is f of state {n}, {board}, by the heuristic of {player}?",
                n=node.id,
                board=trace.board(node.state),
                player=trace.player,
            ),
            node.id,
            float(facts["value"]),
            Text("{total}.", total=total),
            Text("You said {said}; {total}.", said="{said}", total=total),
            moment,
            _step_of(trace, moment),
            [
                Text("f = g + h: g is the cost of the path from the start, h the estimate of what is left."),
                Text("g is {g} here.", g=g),
            ],
            [
                Case(float(facts["h"]), Text("That is h alone; the path costs g = {g}: {total}.", g=g, total=total)),
                Case(float(facts["g"]), Text("That is g alone; the estimate h is missing: {total}.", total=total)),
            ],
            shown=moment,
        )  # fmt: skip


# --- The frontier ----------------------------------------------------------------------------------------------------


class _Open(NamedTuple):
    """A state that is open at a moment."""

    node: int
    value: float | None


def _expanded(trace: Trace, nodes: list[PathNode], ask: Ask) -> ExerciseQuestion:
    """Ask which state is expanded after a number of expansions; by default the last time that there is a choice."""
    at = [i for i, step in enumerate(trace.steps) if step.do == "expand"]
    if ask.where:
        if not (ask.where.isascii() and ask.where.isdigit() and int(ask.where[:6]) < len(at)):
            raise BadInput("{ask}: a number of expansions from 0 to {most}", ask=str(ask), most=len(at) - 1)
        place = at[int(ask.where)]
    else:
        place = next((i for i in reversed(at) if _clear(trace, i)), at[-1])
    done, node = at.index(place), nodes[trace.steps[place].node]
    frontier = _frontier(trace.steps[:place])
    value = next((one.value for one in frontier if one.node == node.id), None)
    best = number_text(value)
    name = Text("state {n}", n=node.id)
    cases: list[Case] = []
    for other in nodes:
        if other is node or other.born > place:
            continue
        worth = next((one.value for one in frontier if one.node == other.id), None)
        if worth is None:
            text = Text("You chose state {n}, which is not open: it has been expanded already.", n=other.id)
        elif worth == value:
            text = Text("You chose state {n}, which is just as good with {f}; of equals the search takes {name}.",
                        n=other.id, f=best, name=name)  # fmt: skip
        else:
            text = Text("You chose state {n} with {worth}; {name} is open with {f}, which is less.",
                        n=other.id, worth=number_text(worth), name=name, f=best)  # fmt: skip
        cases.append(Case(_key(other), text))
    return ExerciseQuestion(
        f"next:{done}",
        "next",
        "choice",
        Text("States expanded: {n}. Which one does the search expand next?", n=done),
        nodes[trace.steps[place - 1].node].id if place else 0,
        _key(node),
        Text("It takes {name}: of the open states it has the smallest value, {f}.", name=name, f=best),
        Text("{said}", said="{said}"),
        place + 1,
        _step_of(trace, place + 1),
        [
            Text("Only open states count: those made and not yet expanded."),
            Text("The search takes the open state with the smallest value; {n} are open.", n=len(frontier)),
        ],
        cases,
        [Chosen(_key(n), Text("state {n}: {board}", n=n.id, board=trace.board(n.state)), n.id)
         for n in nodes if n.born <= place],
        shown=place,
    )  # fmt: skip


def _frontier(steps: list[Step]) -> list[_Open]:
    """Return the open states after these steps."""
    values: dict[int, float | None] = {}
    for step in steps:
        if step.do in ("make", "better"):
            values[step.node] = step.facts["value"]
        elif step.do == "expand":
            values.pop(step.node, None)
    return [_Open(node, value) for node, value in values.items()]


def _clear(trace: Trace, place: int) -> bool:
    """Whether just one open state is the best, and others are open."""
    values = [one.value for one in _frontier(trace.steps[:place]) if one.value is not None]
    return len(values) > 1 and values.count(min(values)) == 1
