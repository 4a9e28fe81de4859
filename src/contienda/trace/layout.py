"""Lays out a drawn tree tidily.

Reference: Buchheim, Jünger and Leipert, "Improving Walker's algorithm to run in linear time", Graph Drawing 2002, after
Reingold and Tilford, "Tidier drawings of trees", 1981.
Contract: nodes of a level are at least the given gap apart; a parent is centred above its children; equal subtrees are
drawn equal, wherever they are.
Cost: linear in the nodes. There is no recursion, because a path may be long.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["tidy"]


def tidy(children: Sequence[Sequence[int]], widths: Sequence[float], gap: float) -> list[float]:
    """Return the middle of each node; the leftmost edge is 0. Node 0 is the root; children come after their parents.

    >>> tidy([[1, 2], [], []], [10, 10, 10], gap=2)
    [11.0, 5.0, 17.0]
    """
    return _Walk(children, widths, gap).places()


class _Walk:
    """The variables of the paper, under its names, as columns."""

    def __init__(self, children: Sequence[Sequence[int]], widths: Sequence[float], gap: float) -> None:
        n = len(children)
        self.children, self.widths, self.gap = children, widths, gap
        self.parent, self.rank = [-1] * n, [0] * n
        for node, below in enumerate(children):
            for rank, child in enumerate(below):
                self.parent[child], self.rank[child] = node, rank
        self.prelim, self.mod = [0.0] * n, [0.0] * n
        self.shift, self.change = [0.0] * n, [0.0] * n
        self.thread, self.ancestor = [-1] * n, list(range(n))

    def places(self) -> list[float]:
        for node in self._bottom_up():
            self._first_walk(node)
        moved = [0.0] * len(self.children)
        for node, below in enumerate(self.children):
            for child in below:
                moved[child] = moved[node] + self.mod[node]
        middles = [prelim + m for prelim, m in zip(self.prelim, moved, strict=True)]
        left = min(middle - width / 2 for middle, width in zip(middles, self.widths, strict=True))
        return [middle - left for middle in middles]

    def _bottom_up(self) -> list[int]:
        """Return all nodes, children before their parents."""
        order, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(self.children[node])
        order.reverse()
        return order

    def _first_walk(self, node: int) -> None:
        """Place the subtrees of a node side by side, and the node above their middle."""
        below = self.children[node]
        if not below:
            return
        default = below[0]
        for child in below:
            left = self._left_sibling(child)
            if left >= 0:
                self.mod[child] = self.prelim[left] + self._apart(left, child) - self.prelim[child]
                self.prelim[child] += self.mod[child]
            default = self._apportion(child, default)
        self._execute_shifts(node)
        self.prelim[node] = (self.prelim[below[0]] + self.prelim[below[-1]]) / 2

    def _left_sibling(self, node: int) -> int:
        rank = self.rank[node]
        return self.children[self.parent[node]][rank - 1] if rank > 0 else -1

    def _apart(self, left: int, right: int) -> float:
        return (self.widths[left] + self.widths[right]) / 2 + self.gap

    def _next_left(self, node: int) -> int:
        return self.children[node][0] if self.children[node] else self.thread[node]

    def _next_right(self, node: int) -> int:
        return self.children[node][-1] if self.children[node] else self.thread[node]

    def _apportion(self, node: int, default: int) -> int:
        """Move a subtree right until it clears those on its left, and space the smaller ones in between evenly."""
        left = self._left_sibling(node)
        if left < 0:
            return default
        inner_right = outer_right = node
        inner_left, outer_left = left, self.children[self.parent[node]][0]
        mod = self.mod
        sums = [mod[inner_right], mod[outer_right], mod[inner_left], mod[outer_left]]
        while self._next_right(inner_left) >= 0 and self._next_left(inner_right) >= 0:
            inner_left, inner_right = self._next_right(inner_left), self._next_left(inner_right)
            outer_left, outer_right = self._next_left(outer_left), self._next_right(outer_right)
            self.ancestor[outer_right] = node
            overlap = (
                self.prelim[inner_left]
                + sums[2]
                - (self.prelim[inner_right] + sums[0])
                + self._apart(inner_left, inner_right)
            )
            if overlap > 0:
                self._move_subtree(self._ancestor_of(inner_left, node, default), node, overlap)
                sums[0] += overlap
                sums[1] += overlap
            sums[2] += mod[inner_left]
            sums[0] += mod[inner_right]
            sums[3] += mod[outer_left]
            sums[1] += mod[outer_right]
        if self._next_right(inner_left) >= 0 and self._next_right(outer_right) < 0:
            self.thread[outer_right] = self._next_right(inner_left)
            mod[outer_right] += sums[2] - sums[1]
        if self._next_left(inner_right) >= 0 and self._next_left(outer_left) < 0:
            self.thread[outer_left] = self._next_left(inner_right)
            mod[outer_left] += sums[0] - sums[3]
            default = node
        return default

    def _ancestor_of(self, inner_left: int, node: int, default: int) -> int:
        ancestor = self.ancestor[inner_left]
        return ancestor if self.parent[ancestor] == self.parent[node] else default

    def _move_subtree(self, left: int, right: int, distance: float) -> None:
        between = self.rank[right] - self.rank[left]
        self.change[right] -= distance / between
        self.shift[right] += distance
        self.change[left] += distance / between
        self.prelim[right] += distance
        self.mod[right] += distance

    def _execute_shifts(self, node: int) -> None:
        shift = change = 0.0
        for child in reversed(self.children[node]):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change
