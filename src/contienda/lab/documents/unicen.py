"""unicen: paths to a tile of 2048, by backtracking, branch and bound and A*."""

from __future__ import annotations

from contienda.core.language import Text
from contienda.lab.documents.description import (
    UNPUBLISHED,
    Document,
    DocumentExperiment,
    Published,
    experiment,
    mean_of,
    rows_of,
)
from contienda.lab.frames import pl

__all__ = ["UNICEN"]


def _unicen(quick: bool) -> list[DocumentExperiment]:
    runs = pl.DataFrame(list(rows_of("unicen_states_and_steps.csv")))
    published = [
        Published(
            own["algorithm"][0],
            own["algorithm"][0],
            len(own),
            {"nodes": mean_of(own["states"]), "moves": mean_of(own["steps"])},
        )
        for own in runs.partition_by("algorithm", maintain_order=True)
    ]
    return [
        experiment("unicen", Text("Table 1"), quick, 10, published, paths=True, target=8192),
        experiment(
            "unicen-twos",
            Text("Table 1 where only 2s appear"),
            quick,
            10,
            published,
            paths=True,
            target=8192,
            game="2048:tiles=twos",
        ),
        *(
            experiment(
                f"unicen-{target}",
                Text("Every algorithm to {target}", target=str(target)),
                quick,
                10,
                _unicen_ways(),
                paths=True,
                target=target,
            )
            for target in _UNICEN_TARGETS
        ),
    ]


#: The targets whose runs it analyses.
_UNICEN_TARGETS = (2048, 4096, 8192)
#: All that it describes, and our comparisons. No figures of these runs were published.
_UNICEN_WAYS = {
    "backtracking": "backtracking",
    "astar": "A*",
    "astar:g=siblings": "A*, g = padre.g++",
    "backtracking:eval=unicen-a,depth=4": "backtracking, A",
    "backtracking:eval=unicen-a,depth=4,horizon=printed": "backtracking, A, −12340",
    "branch-and-bound:bound=v2,memory=64": "branch and bound, v2",
    "branch-and-bound": "branch and bound, sum",
}


def _unicen_ways() -> list[Published]:
    figures = {"wins": UNPUBLISHED, "nodes": UNPUBLISHED, "moves": UNPUBLISHED}
    return [Published(player, label, 0, figures) for player, label in _UNICEN_WAYS.items()]


UNICEN = Document(
    Text("unicen: paths to 8192"),
    _unicen,
    [
        Text(
            "Every published path has more than 4,096 steps, which is what 8192 takes where only 2s appear; with "
            "a 4 for every nine 2s it takes about 3,724. So its program seems to have used 2s only. We play both."
        ),
        Text(
            "Ambiguous: its heuristic. A* is played with −(score + empty), which fits its table; the "
            "formula in the text, score ÷ steps + steps × empty, is h=unicen-text, and with the minus of "
            "its listing h=unicen-formula: neither reached 2048 within three seconds."
        ),
        Text(
            "Its listing counts the steps as the length of a solution that is still empty, so they are always 1; "
            "and g = padre.g++ gives the children of a node g, g + 1, g + 2 and g + 3. The first makes it work; "
            "the second (g=siblings) costs some more states."
        ),
        Text(
            "Slip: its text says that 32,423 states were generated on average by backtracking and 34,750 by A*. "
            "Its table says 353,272 and 175,653: A* needs half as many, not more."
        ),
        Text('Slip: "down" is called the last move tried, but listed third, before right. We play it as listed.'),
        Text(
            "Its look-ahead is worth −12340 at the depth limit and −10000 at a dead end, so a dead end looks "
            "better than none (horizon=printed). This hardly changes the paths."
        ),
        Text(
            "Its heuristic A is said to need fewer steps than A*, and to serve up to 2048 only. Here it needs "
            "fewer steps to 2048 and to 4096, more to 8192, and reaches all three."
        ),
        Text(
            "Branch and bound, as printed, reaches 64 from a fresh board and not 128, with either bound: no run of "
            "it was published. With bound=sum it reaches 8192."
        ),
    ],
    {},
)
