"""Builds the tree of a search that looks ahead from the log of its hooks (`contienda.search.hooks`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, Game, Rules, State
from contienda.core.language import BadInput, Figures, Text, joined, plural
from contienda.core.picture import Picture, grid_text
from contienda.search.hooks import AGAIN, CUT, ENTER, LEAVE, recorded
from contienda.trace.model import NOTHING, Fact, Step, TraceNode, figures, number_text, plain
from contienda.trace.names import move_name

__all__ = ["Cut", "TreeBuilder", "TreeNode", "board_text"]

_KIND = {MAX: "max", CHANCE: "chance"}


@dataclass
class Cut:
    """A cut-off: why the remaining children cannot matter."""

    bound: str
    """``alpha`` or ``beta``: the bound that the value has passed."""
    value: float
    limit: float
    """The bound."""
    refuter: int
    """The child whose value passed it."""
    holder: int | None
    """The node that the other side already has elsewhere, worth the bound; None: the search was asked for nothing
    better."""
    skipped: int
    step: int
    """The number of the step that made it, from 1."""
    reason: Text


@dataclass
class TreeNode(TraceNode):
    """A node of minimax, alpha-beta, expectimax and their variants."""

    seen: State = None
    """The state with the player to move at the root as MAX: what the search and its evaluator see."""
    alpha: float | None = None
    beta: float | None = None
    """The window on entry; None for searches that have none."""
    alpha_out: float | None = None
    beta_out: float | None = None
    """The window when the node was left."""
    probability: float | None = None
    cut: Cut | None = None
    hit: bool = False
    """The value was taken from the table."""
    again: bool = False
    """The same move, or the same state, has been searched before with another window."""
    over: bool = False
    """The game has ended here."""
    terms: dict[str, float] | None = None
    """For a leaf: the terms of the evaluator."""
    parts: dict[str, float] | None = None
    """For a leaf: the contribution of each term to its value, if that is their sum."""
    sum: Figures = NOTHING
    """For a chance node: its value written out."""
    term: Figures = NOTHING
    """For an outcome of chance: its contribution to that sum."""

    @property
    def note(self) -> Figures:
        if self.hit:
            return Figures("TT")
        if self.crossed or self.kind == "leaf" or self.alpha_out is None:
            return NOTHING
        return figures("[{}, {}]", self.alpha_out, self.beta_out)

    @property
    def edge(self) -> Text | str:
        if self.action == AGAIN and self.parent >= 0:
            return "↻"
        chance = "" if self.probability is None else f" · {self.probability:.4g}"
        again = " ↻" if self.again else ""
        return joined([move_name(self.move), Figures(chance + again)], "") if chance or again else move_name(self.move)

    def facts(self) -> list[Fact]:
        said = []
        if self.probability is not None:
            said.append(Fact(Text("probability"), Figures(f"{self.probability:.6g}"), self.born))
        if self.alpha is not None and not self.crossed:
            window, since = figures("[{}, {}]", self.alpha, self.beta), self.born
            if self.alpha_out is not None and (self.alpha, self.beta) != (self.alpha_out, self.beta_out):
                window = figures("[{}, {}] → [{}, {}]", self.alpha, self.beta, self.alpha_out, self.beta_out)
                since = self.done
            said.append(Fact(Text("window"), window, since))
        if self.sum:
            said.append(Fact(Text("sum"), self.sum, self.done))
        if self.hit:
            said.append(Fact(Text("known"), Text("from the table (TT)"), self.done))
        if self.terms:
            terms = ", ".join(f"{name} {number_text(term).message}" for name, term in self.terms.items())
            said.append(Fact(Text("terms"), Figures(terms), self.done))
        return said

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.alpha is not None and not self.crossed:
            data["window"] = [plain(self.alpha), plain(self.beta)]
            data["window_out"] = [plain(self.alpha_out), plain(self.beta_out)]
        for name in ("probability", "terms", "parts"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        for name in ("hit", "again", "over"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        if self.sum:
            data["sum"] = self.sum.message
        if self.term:
            data |= {"term": self.term.message, "done": self.done}
        if self.cut is not None:
            cut = self.cut
            data["cut"] = {
                "bound": cut.bound,
                "value": plain(cut.value),
                "limit": plain(cut.limit),
                "refuter": cut.refuter,
                "holder": cut.holder,
                "skipped": cut.skipped,
                "step": cut.step,
                "reason": cut.reason.in_all_languages(),
            }
        return data


def board_text(game: Game, state: State) -> str:
    """Return the board as text: rows from the top, of tiles, or of ``X`` (the first player), ``O`` and ``.``

    A board whose labels do not tell its pieces apart is written as the game writes it.
    """
    picture = game.picture(state)
    if picture is None or not picture.pieces:
        return game.format(state)
    tiles = picture.ground == "slots"
    if not tiles and not _labels_tell(picture):
        return game.format(state)
    return "/".join((" " if tiles else "").join(row) for row in grid_text(picture, "0" if tiles else "."))


def _labels_tell(picture: Picture) -> bool:
    """Whether each kind of piece has a letter of its own."""
    kinds = {(piece.label, piece.role, piece.colour) for piece in picture.pieces if piece is not None}
    labels = [label for label, _, _ in kinds]
    return len(set(labels)) == len(labels) and all(len(label) == 1 for label in labels)


class TreeBuilder:
    """Builds `nodes` and `steps` from a log."""

    def __init__(
        self,
        rules: Rules,
        state: State,
        name: Callable[[State, int], str],
        *,
        windows: bool,
        levels: int = 0,
        evaluate: Callable[[State], float] | None = None,
        most: int | None = None,
    ) -> None:
        """``name(state, action)`` names moves for people; ``windows``: the search has them, even if infinite.

        ``levels``: of a whole tree, how many the search sees; what it skips is there too, down to the last one, where
        ``evaluate`` values a position that is not over. A tree of more than ``most`` nodes is refused.
        """
        self.rules, self._name, self._evaluate, self._most = rules, name, evaluate, most
        self.nodes: list[TreeNode] = []
        self.steps: list[Step] = []
        self._windows, self._levels = windows, levels
        self._path: list[int] = []
        self._best: list[float] = []  # for each node, the best of its children so far, or their sum
        self._best_child: list[int] = []
        self._add(-1, AGAIN, state, rules.seen_by_mover(state))
        self._path.append(0)
        root = self.nodes[0]
        root.alpha, root.beta = (-math.inf, math.inf) if windows else (None, None)

    def read(self, log: np.record) -> None:
        """Read the whole log."""
        self._windows |= any(math.isfinite(a) or math.isfinite(b) for a, b in recorded(log, ("alpha", "beta")))
        if self._windows:
            self.nodes[0].alpha, self.nodes[0].beta = -math.inf, math.inf
        for event, value, alpha, beta in recorded(log, ("event", "number", "alpha", "beta")):
            if event == ENTER:
                self._enter(int(value), alpha, beta)
            elif event == LEAVE:
                self._leave(value)
            elif event == CUT:
                self._cut(value, alpha, beta)
            else:
                self.nodes[self._path[-1]].hit = True
                self._step("hit", self._path[-1], value=plain(value))

    def finish(self, value: float, best: int) -> frozenset[int]:
        """Set the root's value, which no event reports; return the nodes of the principal variation."""
        root = self.nodes[0]
        root.value = value
        root.done = len(self.steps)
        self._close(root)
        line, node = [0], self._child_of(root, best)
        while node is not None:
            line.append(node.id)
            if node.kind == "chance":
                break
            node = next(
                (
                    child
                    for child in map(self.nodes.__getitem__, reversed(node.children))
                    if child.value is not None and child.value == node.value and not child.skipped
                ),
                None,
            )
        return frozenset(line)

    def _child_of(self, node: TreeNode, action: int) -> TreeNode | None:
        """Return the last child by an action: the second one, if a move was searched twice."""
        return next((self.nodes[c] for c in reversed(node.children) if self.nodes[c].action == action), None)

    def _add(self, parent: int, action: int, state: State, seen: State, kind: str = "") -> TreeNode:
        node = TreeNode(
            len(self.nodes),
            parent,
            kind or _KIND.get(int(self.rules.turn(seen)), "min"),
            action,
            "" if action == AGAIN else self._name(self.nodes[parent].state, action),
            state,
            self.nodes[parent].depth + (action != AGAIN) if parent >= 0 else 0,
            born=len(self.steps) + 1 if parent >= 0 else 0,
            seen=seen,
        )
        self.nodes.append(node)
        if self._most is not None and len(self.nodes) > self._most:
            raise BadInput("the whole tree has more than {most:,} nodes: choose a smaller depth", most=self._most)
        self._best.append(math.nan)
        self._best_child.append(-1)
        if parent >= 0:
            above = self.nodes[parent]
            node.again = action == AGAIN or any(self.nodes[c].action == action for c in above.children)
            above.children.append(node.id)
            if above.kind == "chance" and action != AGAIN:
                node.probability = float(self.rules.probability(above.seen, action))
        return node

    def _after(self, node: TreeNode, action: int) -> tuple[bool, State, State]:
        """Return (whether the action is legal, the state after it, that state as the search sees it)."""
        legal, seen = self.rules.successor(node.seen, action)
        return legal, seen if node.seen == node.state else self.rules.successor(node.state, action)[1], seen

    def _enter(self, action: int, alpha: float, beta: float) -> None:
        above = self.nodes[self._path[-1]]
        _, state, seen = (True, above.state, above.seen) if action == AGAIN else self._after(above, action)
        node = self._add(above.id, action, state, seen)
        if self._windows:
            node.alpha, node.beta = alpha, beta
        self._path.append(node.id)
        self._step("enter", node.id, alpha=plain(node.alpha), beta=plain(node.beta))

    def _leave(self, value: float) -> None:
        node = self.nodes[self._path.pop()]
        node.value = value
        node.done = len(self.steps) + 1
        self._close(node)
        if node.probability is not None:
            node.term = Figures(f"{node.probability:.4g} · {number_text(value).message}")
        above = self.nodes[node.parent]
        best = self._best[above.id]
        if above.kind == "chance" and node.action != AGAIN:
            self._best[above.id] = (0.0 if math.isnan(best) else best) + (node.probability or 0.0) * value
        elif math.isnan(best) or node.action == AGAIN or (value < best if above.kind == "min" else value > best):
            self._best[above.id] = value
            self._best_child[above.id] = node.id
        alpha, beta = self._window(above, self._best[above.id])
        facts = {"value": plain(value), "best": plain(self._best[above.id]), "alpha": plain(alpha), "beta": plain(beta)}
        self._step("leave", node.id, **facts)

    def _window(self, node: TreeNode, best: float) -> tuple[float | None, float | None]:
        """Return the window of a node with this best value so far."""
        alpha, beta = node.alpha, node.beta
        if alpha is not None and beta is not None and not math.isnan(best):
            if node.kind == "max":
                return max(alpha, best), beta
            if node.kind == "min":
                return alpha, min(beta, best)
        return alpha, beta

    def _close(self, node: TreeNode) -> None:
        """Complete a node once its value is known."""
        node.over = bool(self.rules.over(node.seen))
        if not node.children and not node.hit:
            node.kind = "leaf"
            if self._levels:
                node.given = number_text(node.value)
            node.alpha_out, node.beta_out = node.alpha, node.beta
        elif node.value is not None:
            node.alpha_out, node.beta_out = self._window(node, node.value)
        if node.kind == "chance" and 0 < len(node.children) <= 8:
            terms = (self.nodes[c].term.message for c in node.children)
            node.sum = Figures(" + ".join(term for term in terms if term))

    def _cut(self, value: float, alpha: float, beta: float) -> None:
        node = self.nodes[self._path[-1]]
        refuter = node.children[-1]
        bound, limit = ("beta", beta) if node.kind == "max" else ("alpha", alpha)
        tried = {self.nodes[c].action for c in node.children}
        mask = int(self.rules.candidates(node.seen))
        skipped = 0
        for action in range(MAX_ACTIONS):
            if mask >> action & 1 and action not in tried:
                legal, state, seen = self._after(node, action)
                if legal:
                    self._skip(self._add(node.id, action, state, seen, "" if self._levels else "cut"))
                    skipped += 1
        holder = self._holder("min" if bound == "beta" else "max", limit)
        reason = self._reason(node, bound, value, limit, refuter, holder, skipped)
        node.cut = Cut(bound, value, limit, refuter, holder, skipped, len(self.steps) + 1, reason)
        self._step("cut", node.id, value=plain(value), alpha=plain(alpha), beta=plain(beta), bound=bound)

    def _skip(self, top: TreeNode) -> None:
        """Mark a node as skipped; in a drawn tree everything below it too, with the values of its leaves."""
        waiting = [top]
        for node in waiting:
            node.skipped = len(self.steps) + 1
            if not self._levels:
                continue
            node.over = bool(self.rules.over(node.seen))
            if node.over or node.depth == self._levels:
                node.kind = "leaf"
                value_of = self.rules.utility if node.over else self._evaluate
                if value_of is not None:
                    node.value = float(value_of(node.seen))
                    node.given = number_text(node.value)
                continue
            mask = int(self.rules.candidates(node.seen))
            for action in range(MAX_ACTIONS):
                legal, state, seen = self._after(node, action) if mask >> action & 1 else (False, None, None)
                if legal:
                    waiting.append(self._add(node.id, action, state, seen))

    def _holder(self, kind: str, limit: float) -> int | None:
        """Return the child that already guarantees MAX (or MIN) the bound, at the nearest node above."""
        for above in reversed(self._path[:-1]):
            # (At the root a move that wins ties is asked only to be as good: its bound is one step short of that.)
            best = self._best[above]
            if self.nodes[above].kind == kind and (best == limit or abs(best - limit) == math.ulp(limit)):
                return self._best_child[above]
        return None

    def _reason(
        self, node: TreeNode, bound: str, value: float, limit: float, refuter: int, holder: int | None, skipped: int
    ) -> Text:
        move, v, b = move_name(self.nodes[refuter].move), number_text(value), number_text(limit)
        here, there = ("MAX", "MIN") if bound == "beta" else ("MIN", "MAX")
        sign = "α" if bound == "alpha" else "β"
        least = Text("at most") if bound == "alpha" else Text("at least")
        if holder is None and bound == "alpha":
            has = Text("the search only asks whether it is more than {b}", b=b)
        elif holder is None:
            has = Text("the search only asks whether it is less than {b}", b=b)
        else:
            other, above = move_name(self.nodes[holder].move), self.nodes[holder].parent
            where = Text("at the root") if above == 0 else _levels_up(len(self._path) - 1 - self._path.index(above))
            has = Text("{there} already has {b} with {other} {where}", there=there, b=b, other=other, where=where)
        left = plural("the move left cannot matter", "the {n} moves left cannot matter", skipped)
        return Text(
            "{sign} cut: with {move} {here} makes this {v} {least}, and {has}: {left}",
            sign=sign,
            move=move,
            here=here,
            v=v,
            least=least,
            has=has,
            left=left,
        )

    def _step(self, do: str, node: int, **facts: Any) -> None:
        self.steps.append(Step(do, node, facts))


def _levels_up(count: int) -> Text:
    """Return where the other side has something better, relative to the node that is cut."""
    return plural("one level up", "{n} levels up", count)
