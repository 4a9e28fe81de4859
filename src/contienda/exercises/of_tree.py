"""Questions about minimax, alpha-beta and searches with chance: answers and reasons come from the trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from contienda.core.language import BadInput, Figures, Text, joined, plural
from contienda.exercises.exercise import Ask
from contienda.exercises.question import Answer, Case, Chosen, ExerciseQuestion, Settled
from contienda.trace.model import Trace, figures, number_text
from contienda.trace.names import KIND_NAMES, move_name
from contienda.trace.telling import tell
from contienda.trace.tree import TreeNode
from contienda.trace.why import why

__all__ = ["tree_questions"]

_INNER = ("max", "min", "chance")


def tree_questions(trace: Trace, asked: list[Ask]) -> Iterator[ExerciseQuestion]:
    """Yield the questions about a search that looks ahead, with its whole tree."""
    asking = _Asking(trace)
    for ask in asked:
        yield from asking.by_kind[ask.kind](ask)


class _Asking:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.nodes: list[TreeNode] = [node for node in trace.nodes if isinstance(node, TreeNode)]
        self.keys = self._keys()
        self.paths = self._paths()
        self.by_key = {key: node for node, key in zip(self.nodes, self.keys, strict=True)}
        self.by_kind: dict[str, Callable[[Ask], Iterator[ExerciseQuestion]]] = {
            "value": lambda ask: iter([self._value(self.nodes[0], ask.kind)]),
            "values": self._values,
            "cuts": self._cuts,
            "window": self._window,
            "next": self._next,
            "best": self._best,
        }

    def _keys(self) -> list[str]:
        """Return each node's moves from the root, ``2/1``."""
        keys = [""] * len(self.nodes)
        for node in self.nodes[1:]:  # parents come first
            above = keys[node.parent]
            keys[node.id] = f"{above}/{node.move}" if above else node.move
        return [key.replace(" ", "") for key in keys]

    def _paths(self) -> list[Text | str]:
        """Return the same in the reader's words, ``left/2@r1c1``."""
        paths: list[Text | str] = [""] * len(self.nodes)
        for node in self.nodes[1:]:
            last, above = move_name(node.move), paths[node.parent]
            plain = isinstance(last, str) and isinstance(above, str)
            paths[node.id] = self.keys[node.id] if plain else joined([above, last], "/") if above else last
        return paths

    def _node(self, ask: Ask) -> TreeNode:
        """Return the node that a user names by its moves."""
        node = self.by_key.get(ask.where)
        if node is None:
            known = ", ".join(self.keys[1:9])
            raise BadInput("{ask}: no node {where!r}; there are {known} …", ask=str(ask), where=ask.where, known=known)
        return node

    def _name(self, node: TreeNode) -> Text | str:
        """A node for a sentence: the root, or its moves from the root."""
        return Text("the root") if node.parent < 0 else Text("node {path}", path=self.paths[node.id])

    def _step_at(self, moment: int) -> Text:
        return tell(self.trace, self.trace.steps[moment - 1]).sentence

    def _whole_value(self, node: TreeNode) -> float:
        """Return the value of a node if nothing is cut."""
        below = [self.nodes[child] for child in node.children]
        if not below:
            return math.nan if node.value is None else node.value
        values = [self._whole_value(child) for child in below]
        if node.kind == "chance":
            return sum((child.probability or 0.0) * v for child, v in zip(below, values, strict=True))
        return max(values) if node.kind == "max" else min(values)

    # --- Values ---

    def _values(self, ask: Ask) -> Iterator[ExerciseQuestion]:
        if ask.where:
            node = self._node(ask)
            if node.kind not in _INNER or node.value is None:
                raise BadInput(
                    "{ask}: the search finds no value there; ask about an inner node it visits", ask=str(ask)
                )
            yield self._value(node, ask.kind)
            return
        inner = [node for node in self.nodes[1:] if node.kind in _INNER and node.value is not None]
        if not inner:
            raise BadInput("values: the tree has no inner nodes below the root; ask for the value of the root")
        yield from (self._value(node, ask.kind) for node in sorted(inner, key=lambda node: node.done))

    def _value(self, node: TreeNode, kind: str) -> ExerciseQuestion:
        assert node.value is not None
        moment = node.done if node.parent >= 0 else len(self.trace.steps)
        if node.cut is not None:
            moment = node.cut.step
        reason = why(self.trace, node)
        name, value = self._name(node), number_text(node.value)
        told = reason.text if reason is not None else Text("It is {value}.", value=value)
        if node.kind == "chance" and node.sum and node.cut is None:
            told = Text("Chance is worth the weighted sum: {total} = {value}.", total=node.sum, value=value)
        below = [self.nodes[child] for child in node.children if self.nodes[child].value is not None]
        seen = [child for child in below if not child.skipped]
        return ExerciseQuestion(
            f"{kind}:{self.keys[node.id]}".rstrip(":"),
            kind,
            "number",
            Text("What is {name} worth ({kind})?", name=name, kind=KIND_NAMES[node.kind]),
            node.id,
            float(node.value),
            told if isinstance(told, Text) else Text("{told}", told=told),
            self._otherwise(node),
            moment,
            self._step_at(moment),
            self._value_hints(node, seen),
            list(self._value_cases(node, seen)),
            below=[(child.id, child.probability or 1.0) for child in seen] if node.cut is None else [],
        )

    def _otherwise(self, node: TreeNode) -> Text:
        value = number_text(node.value)
        seen = [self.nodes[child] for child in node.children if not self.nodes[child].skipped]
        values = _listed(seen)
        if node.cut is not None:
            return Text("You said {said}; the search returns {value} – {reason}.",
                        said="{said}", value=value, reason=node.cut.reason)  # fmt: skip
        if node.kind == "chance":
            total = node.sum or values
            return Text("You said {said}; chance is worth the weighted sum: {total} = {value}.",
                        said="{said}", total=total, value=value)  # fmt: skip
        if node.kind == "max":
            return Text("You said {said}; MAX chooses among {values} here and takes the largest, {value}.",
                        said="{said}", values=values, value=value)  # fmt: skip
        return Text("You said {said}; MIN chooses among {values} here and takes the smallest, {value}.",
                    said="{said}", values=values, value=value)  # fmt: skip

    def _value_hints(self, node: TreeNode, seen: list[TreeNode]) -> list[Text]:
        name, values = self._name(node), _listed(seen)
        if node.kind == "chance":
            first = Text("{name} is a chance node: nobody chooses there.", name=name)
            last = Text("Multiply each value below by its probability, and add: {sum}.", sum=node.sum or values)
            return [first, last]
        who, wants = ("MAX", Text("the largest")) if node.kind == "max" else ("MIN", Text("the smallest"))
        hints = [Text("At {name}, {who} moves and wants {wants} value.", name=name, who=who, wants=wants)]
        if node.cut is not None:
            hints.append(Text("The search does not look at all of its branches: after which does it stop?"))
        return [*hints, Text("The search sees these values below: {values}.", values=values)]

    def _value_cases(self, node: TreeNode, seen: list[TreeNode]) -> Iterator[Case]:
        """Yield the feedback on common mistakes; the correct answer has been compared before."""
        assert node.value is not None
        value = number_text(node.value)
        whole = self._whole_value(node)
        if node.cut is not None and not math.isclose(whole, node.value):
            yield Case(float(whole), Text(
                "You said {said}, which is the value of the whole branch. The search stops before – {reason}.",
                said=number_text(whole), reason=node.cut.reason))  # fmt: skip
        values = [child.value for child in seen if child.value is not None]
        if not values:
            return
        if node.kind == "chance":
            yield Case(sum(values) / len(values), Text(
                "You took the plain mean; each outcome counts by its probability: {sum} = {value}.",
                sum=node.sum, value=value))  # fmt: skip
            for extreme in (max(values), min(values)):
                yield Case(float(extreme), Text(
                    "You said {said}, as if somebody chose; here chance decides, and the value is the weighted sum: "
                    "{sum} = {value}.", said=number_text(extreme), sum=node.sum, value=value))  # fmt: skip
            return
        best = next(child for child in seen if child.value == node.value)
        there = self.trace.name(best)
        for child in sorted(seen, key=lambda child: child.value or 0.0, reverse=node.kind == "min"):
            said = number_text(child.value)
            better = Text("less") if node.kind == "min" else Text("more")
            text = Text(
                "You said {said}; {who} would answer with {value} here, because {move} gives {better} than {said}.",
                said=said,
                who=KIND_NAMES[node.kind],
                value=value,
                move=there,
                better=better,
            )
            yield Case(float(child.value or 0.0), text)

    # --- Cut-offs ---

    def _cuts(self, ask: Ask) -> Iterator[ExerciseQuestion]:
        if getattr(self.nodes[0], "alpha", None) is None:
            raise BadInput("cuts: {player} cuts nothing; ask about alphabeta", player=self.trace.player)
        tops = [n for n in self.nodes if n.skipped and not self.nodes[n.parent].skipped]
        covered: dict[str, str] = {}
        for node in self.nodes:
            if node.skipped and node not in tops:
                above = node
                while self.nodes[above.parent].skipped:
                    above = self.nodes[above.parent]
                covered[self.keys[node.id]] = self.keys[above.id]
        settled = {self.keys[n.id]: self._settled(n) for n in self.nodes[1:] if not n.skipped or n in tops}
        cut_nodes = [node for node in self.nodes if node.cut is not None]
        moment = min((n.skipped for n in tops), default=len(self.trace.steps))
        reasons = (Text("None: no window closes before the last branch.") if not cut_nodes
                   else _sentences([n.cut.reason for n in cut_nodes if n.cut is not None]))  # fmt: skip
        hints = [
            Text("Go through the search with its window: MAX raises α, MIN lowers β."),
            Text("A node's other branches are cut as soon as α ≥ β."),
            plural("The search cuts at 1 node.", "The search cuts at {n} nodes.", len(cut_nodes)),
        ]
        if cut_nodes:
            hints.append(Text("The first cut is at {name}.", name=self._name(cut_nodes[0])))
        yield ExerciseQuestion(
            "cuts",
            "cuts",
            "branches",
            Text("Which branches does the search skip?"),
            0,
            frozenset(self.keys[node.id] for node in tops),
            reasons,
            Text("{said}", said="{said}"),
            moment,
            self._step_at(moment),
            hints,
            choices=[Chosen(self.keys[n.id], self._title(n), n.id) for n in self.nodes[1:]],
            covered=covered,
            settled=settled,
        )

    def _settled(self, node: TreeNode) -> Settled:
        """Return the step that visits or skips a branch, and the feedback on a wrong answer."""
        name = self._name(node)
        if node.skipped:
            cut = self.nodes[node.parent].cut
            assert cut is not None
            return Settled(node.skipped, Text(
                "You left out {name}; step {step} of the search skips it – {reason}.",
                name=name, step=node.skipped, reason=cut.reason))  # fmt: skip
        window = figures("[{}, {}]", node.alpha, node.beta)
        return Settled(node.born, Text(
            "You marked {name}; step {step} of the search visits it, because its window {window} is still open: α < β.",
            name=name, step=node.born, window=window))  # fmt: skip

    def _title(self, node: TreeNode) -> Text:
        label = node.given or (number_text(node.value) if node.kind == "leaf" else None)
        kind = KIND_NAMES[node.kind]
        if label:
            return Text("{path}: {kind} {label}", path=self.paths[node.id], kind=kind, label=label)
        return Text("{path}: {kind}", path=self.paths[node.id], kind=kind)

    # --- Windows ---

    def _window(self, ask: Ask) -> Iterator[ExerciseQuestion]:
        if self.nodes[0].alpha is None:
            raise BadInput("window: {player} has no window; ask about alphabeta", player=self.trace.player)
        node = self._node(ask) if ask.where else self._telling_window()
        if node.skipped or node.alpha is None or node.beta is None:
            raise BadInput("{ask}: the search skips this node", ask=str(ask))
        alpha, beta, name = node.alpha, node.beta, self._name(node)
        why = Text("{alpha} {beta}", alpha=self._bound_from(node, "max"), beta=self._bound_from(node, "min"))
        window = figures("[{}, {}]", alpha, beta)
        cases: list[Case] = []

        def foresee(answer: tuple[float | None, float | None], text: Text) -> None:
            if None not in answer and answer != (alpha, beta):
                cases.append(Case(answer, text))  # type: ignore[arg-type]  # neither is None

        foresee(
            (beta, alpha), Text("The other way round: α, what MAX has, stands first. It is {window}.", window=window)
        )
        foresee(
            (-math.inf, math.inf), Text("The window is not new at each node: it comes down from above. {why}", why=why)
        )
        foresee((node.alpha_out, node.beta_out), Text(
            "That is the window when the search leaves {name}; on entering it is {window}.", name=name, window=window,
        ))  # fmt: skip
        yield ExerciseQuestion(
            f"window:{self.keys[node.id]}".rstrip(":"),
            "window",
            "window",
            Text("What are α and β when the search enters {name}?", name=name),
            node.id,
            (alpha, beta),
            why,
            Text("You said {said}; it is {window}. {why}", said="{said}", window=window, why=why),
            max(node.born, 1),
            self._step_at(max(node.born, 1)),
            [
                Text("α is the best that MAX has above this node, β the best that MIN has."),
                Text("What have the nodes above found before the search comes here? −∞ and +∞ stand for nothing yet."),
            ],
            cases,
        )

    def _telling_window(self) -> TreeNode:
        """Return a node with an interesting window: both bounds finite if there is one, and not a leaf."""

        def told(node: TreeNode) -> tuple[int, int, int]:
            bounds = sum(bound is not None and math.isfinite(bound) for bound in (node.alpha, node.beta))
            return bounds, node.kind != "leaf", -node.id

        return max((n for n in self.nodes[1:] if not n.skipped), key=told)

    def _bound_from(self, node: TreeNode, kind: str) -> Text:
        """Return where a bound of a node's window comes from."""
        bound = node.alpha if kind == "max" else node.beta
        sign, who = ("α", "MAX") if kind == "max" else ("β", "MIN")
        above = node
        while above.parent >= 0:
            above = self.nodes[above.parent]
            done = [self.nodes[c] for c in above.children if 0 < self.nodes[c].done <= node.born]
            holder = next((child for child in done if child.value == bound), None)
            if above.kind == kind and holder is not None:
                move, there = self.trace.name(holder), self._name(above)
                return Text("{sign} is {bound}: {who} already has it with {move} at {name}.",
                            sign=sign, bound=number_text(bound), who=who, move=move, name=there)  # fmt: skip
        return Text("{sign} is {bound}: {who} has nothing above yet.", sign=sign, bound=number_text(bound), who=who)

    # --- Order ---

    def _next(self, ask: Ask) -> Iterator[ExerciseQuestion]:
        steps = self.trace.steps
        done = _steps_done(ask, len(steps) - 1) if ask.where else self._telling_moment()
        moment = next((i + 1 for i in range(done, len(steps)) if steps[i].do == "enter"), 0)
        if not moment:
            raise BadInput("{ask}: after this step the search visits no other node", ask=str(ask))
        node = self.nodes[steps[moment - 1].node]
        here: Text | str = (
            tell(self.trace, steps[done - 1]).sentence if done else Text("Nothing is visited but the root.")
        )
        cases = [Case(self.keys[n.id], self._not_next(n, node, done)) for n in self.nodes[1:] if n is not node]
        yield ExerciseQuestion(
            f"next:{done}",
            "next",
            "choice",
            Text("Step {done} of the search: “{here}”. Which node does it visit next?", done=done, here=here),
            self.nodes[steps[done - 1].node].id if done else 0,
            self.keys[node.id],
            Text("Next it visits {name}: {step}.", name=self._name(node), step=self._step_at(moment)),
            Text("{said}", said="{said}"),
            moment,
            self._step_at(moment),
            [
                Text("The search goes depth first, and takes the branches from left to right."),
                Text("It goes down from the node where it is, or back up to the nearest node with a branch left."),
            ],
            cases,
            [Chosen(self.keys[n.id], self._title(n), n.id) for n in self.nodes[1:]],
        )

    def _telling_moment(self) -> int:
        """Return a number of steps after which the next step is not obvious: a cut, or a return to a node above."""
        steps = self.trace.steps
        enters = [i for i in range(1, len(steps)) if steps[i].do == "enter"]
        after = {kind: [i for i in enters if steps[i - 1].do == kind] for kind in ("cut", "leave")}
        up = [i for i in after["leave"] if self.nodes[steps[i].node].depth < self.nodes[steps[i - 1].node].depth]
        found = [i for i in enters if steps[i - 1].do == "leave" and i >= 2 and steps[i - 2].do == "cut"]
        return (found or after["cut"] or up or enters or [0])[0]

    def _not_next(self, said: TreeNode, node: TreeNode, done: int) -> Text:
        name, there = self._name(said), self._name(node)
        if said.skipped and said.skipped <= done:
            return Text("You said {name}, which the search has skipped already; it goes on to {there}.",
                        name=name, there=there)  # fmt: skip
        if said.skipped:
            reason = why(self.trace, said)
            assert reason is not None
            return Text("You said {name}, which the search never visits. {reason}.", name=name, reason=reason.text)
        if said.born <= done:
            return Text("You said {name}, which was visited at step {step}; the search goes on to {there}.",
                        name=name, step=said.born, there=there)  # fmt: skip
        return Text("You said {name}, which comes later, at step {step}; before, the search goes to {there}.",
                    name=name, step=said.born, there=there)  # fmt: skip

    def _best(self, ask: Ask) -> Iterator[ExerciseQuestion]:
        root = self.nodes[0]
        best = next(child for child in (self.nodes[c] for c in root.children) if child.move == self.trace.best)
        moment = best.done
        children = [self.nodes[c] for c in root.children]
        value = number_text(self.trace.value)
        cases: list[Case] = []
        for child in children:
            if child is best:
                continue
            worth = number_text(child.value)
            at_most = "" if child.cut is None or child.value is None else Text(" at most")
            if root.kind != "max":
                text = Text("You chose {name}; {best} is worth {value}.", name=self.trace.name(child),
                            best=self.trace.name(best), value=value)  # fmt: skip
            elif child.value == best.value:
                text = Text("You chose {name}, which is worth no more than {best}: of equal moves the search keeps the "
                            "first.", name=self.trace.name(child), best=self.trace.name(best))  # fmt: skip
            else:
                text = Text("You chose {name}, which is worth {worth}{at_most}; {best} is worth {value}.",
                            name=self.trace.name(child), worth=worth, at_most=at_most, best=self.trace.name(best),
                            value=value)  # fmt: skip
            cases.append(Case(self.keys[child.id], text))
        yield ExerciseQuestion(
            "best",
            "best",
            "choice",
            Text("Which move does the search choose?"),
            0,
            self.keys[best.id],
            Text(
                "It chooses {best}, which is worth {value}: no other move is worth more.",
                best=self.trace.name(best),
                value=value,
            ),
            Text("{said}", said="{said}"),
            moment,
            self._step_at(moment),
            [
                Text("Find the value of each move first."),
                Text("At the root {who} moves.", who=KIND_NAMES[root.kind]),
            ],
            cases,
            [Chosen(self.keys[child.id], self.trace.name(child), child.id) for child in children],
        )


def _steps_done(ask: Ask, most: int) -> int:
    if not (ask.where.isascii() and ask.where.isdigit() and len(ask.where) < 7 and int(ask.where) <= most):
        raise BadInput("{ask}: a number of steps from 0 to {most}", ask=str(ask), most=most)
    return int(ask.where)


def _listed(nodes: list[TreeNode]) -> Figures:
    """Return the values of nodes, one after the other."""
    return figures(", ".join(["{}"] * len(nodes)), *(node.value for node in nodes))


def _sentences(texts: list[Text]) -> Text:
    fields: dict[str, Answer | Text] = {f"part{i}": text for i, text in enumerate(texts)}
    return Text(" ".join(f"{{{name}}}." for name in fields), **fields)
