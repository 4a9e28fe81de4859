"""Questions about Monte Carlo tree search: selection by UCB, means, and the move that is played."""

from __future__ import annotations

import math
from collections.abc import Iterator

from contienda.core.language import BadInput, Text, joined
from contienda.exercises.exercise import Ask
from contienda.exercises.question import Case, Chosen, ExerciseQuestion
from contienda.trace.model import Step, Trace, figures, number_text
from contienda.trace.playouts import PlayoutsNode
from contienda.trace.telling import tell

__all__ = ["simulation_questions"]


def simulation_questions(trace: Trace, asked: list[Ask]) -> Iterator[ExerciseQuestion]:
    """Yield the questions about a search by simulations."""
    nodes = [node for node in trace.nodes if isinstance(node, PlayoutsNode)]
    for ask in asked:
        if ask.kind == "value":
            yield _mean(trace, nodes)
        elif ask.kind == "best":
            yield _most_visited(trace, nodes)
        elif ask.kind == "next":
            yield _selected(trace, nodes, ask)
        else:
            raise BadInput(
                "{ask}: of a search by simulations ask value, best, or next after a number of simulations: next=5",
                ask=str(ask),
            )


def _children(trace: Trace, nodes: list[PlayoutsNode]) -> list[PlayoutsNode]:
    return [nodes[child] for child in nodes[0].children]


def _step_of(trace: Trace, moment: int) -> Text:
    return tell(trace, trace.steps[moment - 1]).sentence


def _mean(trace: Trace, nodes: list[PlayoutsNode]) -> ExerciseQuestion:
    children, moment = _children(trace, nodes), len(trace.steps)
    written = joined([figures("{} · {}", child.visits, child.value) for child in children], " + ")
    value, n = nodes[0].value or 0.0, nodes[0].visits
    total = Text("({written}) / {n} = {value}", written=written, n=n, value=number_text(value))
    plain = sum(child.value or 0.0 for child in children) / len(children)
    best = max(child.value or 0.0 for child in children)
    return ExerciseQuestion(
        "value",
        "value",
        "number",
        Text("What is the mean of the root after {n} simulations?", n=n),
        0,
        float(value),
        Text("Each simulation counts once: {total}.", total=total),
        Text("You said {said}; each simulation counts once: {total}.", said="{said}", total=total),
        moment,
        _step_of(trace, moment),
        [
            Text("The mean of a node is the sum of all results below it, divided by their number."),
            Text("The sum of a child's results is its visits n times its mean."),
        ],
        [
            Case(plain, Text("That is the mean of the means; more visits count more: {total}.", total=total)),
            Case(float(best), Text("That is the best child; the root is the mean of all: {total}.", total=total)),
        ],
        shown=moment,
    )  # fmt: skip


def _most_visited(trace: Trace, nodes: list[PlayoutsNode]) -> ExerciseQuestion:
    children, moment = _children(trace, nodes), len(trace.steps)
    best = next(child for child in children if child.move == trace.best)
    name, visits = trace.name(best), best.visits
    cases = []
    for child in children:
        if child.visits == visits:
            text = Text("You chose {name}; of equally many visits the better mean decides, and {best} has it.",
                        name=trace.name(child), best=name)  # fmt: skip
        else:
            text = Text("You chose {name} with {n} visits; the search plays {best} with {most}, the most visited.",
                        name=trace.name(child), n=child.visits, best=name, most=visits)  # fmt: skip
        cases.append(Case(child.move, text))
    return ExerciseQuestion(
        "best",
        "best",
        "choice",
        Text("Which move does the search play?"),
        0,
        best.move,
        Text("The most visited move is {name}, with {n} visits.", name=name, n=visits),
        Text("{said}", said="{said}"),
        moment,
        _step_of(trace, moment),
        [Text("The search does not look for the best mean."), Text("It trusts the move that it has visited most.")],
        cases,
        [Chosen(child.move, trace.name(child), child.id) for child in children],
        shown=moment,
    )


def _selected(trace: Trace, nodes: list[PlayoutsNode], ask: Ask) -> ExerciseQuestion:
    """Ask which child of the root the next simulation selects; by default the last one that is not obvious."""
    choosing = [
        (i, step)
        for i, step in enumerate(trace.steps)
        if step.do == "select" and nodes[step.node].parent == 0 and len(step.facts.get("ucb", ())) > 1
    ]
    if ask.where:
        if not (ask.where.isascii() and ask.where.isdigit() and len(ask.where) < 7):
            raise BadInput("{ask}: write the number of simulations done, for example next=5", ask=str(ask))
        choosing = [(i, step) for i, step in choosing if step.facts["simulation"] == int(ask.where) + 1]
    if not choosing:
        raise BadInput("{ask}: no simulation selects among several children of the root there", ask=str(ask))
    place, step = next((one for one in reversed(choosing) if _surprises(one[1])), choosing[-1])
    done, name = step.facts["simulation"] - 1, trace.name(nodes[step.node])
    lines = joined([_line(trace, nodes, step, child) for child, *_ in step.facts["ucb"]], "; ")
    cases = []
    means = {child: mean for child, _, mean, _ in step.facts["ucb"]}
    visits = {child: n for child, _, _, n in step.facts["ucb"]}
    for child in means:
        said = trace.name(nodes[child])
        if means[child] == max(means.values()):
            text = Text("You chose {said}, which has the best mean; UCB adds more to what was visited less: {lines}.",
                        said=said, lines=lines)  # fmt: skip
        elif visits[child] == min(visits.values()):
            text = Text(
                "You chose {said}, which was visited least; its mean counts too: {lines}.", said=said, lines=lines
            )
        else:
            text = Text(
                "You chose {said}; the largest UCB is that of {name}: {lines}.", said=said, name=name, lines=lines
            )
        cases.append(Case(nodes[child].move, text))
    return ExerciseQuestion(
        f"next:{done}",
        "next",
        "choice",
        Text(
            "Simulations done: {n}; c = {c}. Which child of the root does the next one select?",
            n=done,
            c=number_text(float(f"{step.facts['c']:.4g}")),
        ),
        0,
        nodes[step.node].move,
        Text("The largest UCB is that of {name}: {lines}.", name=name, lines=lines),
        Text("{said}", said="{said}"),
        place + 1,
        _step_of(trace, place + 1),
        [
            Text("UCB = q + c · √(ln N / n): q is the mean of the child, n its visits, N those of the root."),
            Text("ln {n} = {log}.", n=step.facts["n"], log=number_text(round(math.log(step.facts["n"]), 4))),
        ],
        cases,
        [Chosen(nodes[child].move, trace.name(nodes[child]), child) for child in means],
        shown=place,
    )


def _surprises(step: Step) -> bool:
    """Whether the selected child does not have the best mean."""
    means = {child: mean for child, _, mean, _ in step.facts["ucb"]}
    return bool(means[step.node] < max(means.values()))


def _line(trace: Trace, nodes: list[PlayoutsNode], step: Step, child: int) -> Text:
    bound, mean, visits = next((b, m, v) for c, b, m, v in step.facts["ucb"] if c == child)
    return Text(
        "{name}: {q} + {c} · √(ln {N} / {n}) = {u}",
        name=trace.name(nodes[child]),
        q=number_text(mean),
        c=number_text(float(f"{step.facts['c']:.4g}")),
        N=step.facts["n"],
        n=visits,
        u=number_text(bound),
    )
