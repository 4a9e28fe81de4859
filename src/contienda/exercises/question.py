"""A question about a search, its answer, and the feedback on each answer.

All texts are made once, here and in the modules of each family of searches, from the trace. A page contains them as
data (`as_data`), so that it can compare and explain without Python: it looks up the answer in `cases`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from contienda.core.language import BadInput, Text
from contienda.trace.model import figures, number_text, plain

__all__ = ["TOLERANCE", "Answer", "Chosen", "ExerciseQuestion", "Settled", "Verdict", "answer_text", "read_answer"]

#: The tolerance for a number: two decimals are enough.
TOLERANCE = 0.005

#: An answer by the form of its question: a number, a window, the keys of some branches, or the key of one choice.
Answer: TypeAlias = float | tuple[float, float] | frozenset[str] | str

_INFINITY = re.compile(r"([+-]?)(?:inf|infinity|infinito|oo|∞)", re.IGNORECASE)


class Chosen(NamedTuple):
    """Something that can be chosen: its key, as it is typed, its name, and its node."""

    key: str
    name: Text | str
    node: int


class Case(NamedTuple):
    """The feedback on an expected answer."""

    answer: Answer
    text: Text


class Settled(NamedTuple):
    """The step that visits or skips a branch, and the feedback on a wrong answer about it."""

    moment: int
    text: Text


class Verdict(NamedTuple):
    """The verdict on an answer, and the reason."""

    right: bool
    text: Text
    """The answer, what the search does, and why."""
    step: Text | None
    """The step at which the answer diverges from the search; None if it does not."""
    moment: int
    """The number of that step, from 1."""


@dataclass
class ExerciseQuestion:
    """One question."""

    id: str
    """The kind of question and its place, for example ``values:2/1``."""
    kind: str
    form: str
    """``number``, ``window``, ``branches`` (any number of choices) or ``choice``."""
    prompt: Text
    node: int
    """The node that it is about."""
    answer: Answer
    why: Text
    """Why the answer is what it is."""
    otherwise: Text
    """The feedback on any other answer; ``{said}`` stands for the answer."""
    moment: int
    """The step that settles it, from 1."""
    step: Text
    """What the search does there."""
    hints: list[Text]
    """The first says where to look, the last almost gives the answer."""
    cases: list[Case] = field(default_factory=list)
    choices: list[Chosen] = field(default_factory=list)
    """The choices; branches are in the order in which the search reaches them."""
    covered: dict[str, str] = field(default_factory=dict)
    """Branches below a branch that is cut -> that branch: as right to mark as the branch itself."""
    settled: dict[str, Settled] = field(default_factory=dict)
    """For each branch, what the search does about it."""
    shown: int | None = None
    """The moment at which the tree is shown; None for the whole tree, with only the values of its leaves."""
    below: list[tuple[int, float]] = field(default_factory=list)
    """For a value, the children that determine it and their weights (1 except after chance)."""

    def __post_init__(self) -> None:
        foreseen: list[Case] = []
        for case in self.cases:
            if not any(
                self._same(case.answer, other) for other in (self.answer, *(known.answer for known in foreseen))
            ):
                foreseen.append(case)
        self.cases = foreseen

    def judge(self, said: Answer) -> Verdict:
        """Return the verdict on an answer."""
        if self.form == "branches":
            assert isinstance(said, frozenset)
            return self._judge_branches(said)
        if self._same(self.answer, said):
            return Verdict(True, self.why, None, self.moment)
        known = next((case.text for case in self.cases if self._same(case.answer, said)), None)
        text = known or Text("{otherwise}", otherwise=_filled(self.otherwise, answer_text(said)))
        return Verdict(False, text, self._at(self.moment, self.step), self.moment)

    def _judge_branches(self, said: frozenset[str]) -> Verdict:
        """The answer diverges at the first wrong branch in the order of the search."""
        assert isinstance(self.answer, frozenset)
        meant = {self.covered.get(key, key) for key in said}
        wrong = sorted((self.settled[key].moment, key) for key in meant ^ self.answer)
        if not wrong:
            return Verdict(True, self.why, None, self.moment)
        moment, key = wrong[0]
        return Verdict(False, self.settled[key].text, None, moment)

    def _at(self, moment: int, step: Text) -> Text:
        return Text("Step {moment} of the search: {step}", moment=moment, step=step)

    def _same(self, one: Answer, other: Answer) -> bool:
        if isinstance(one, tuple) and isinstance(other, tuple):
            return all(_near(a, b) for a, b in zip(one, other, strict=True))
        if isinstance(one, float) and isinstance(other, float):
            return _near(one, other)
        return one == other

    def as_data(self) -> dict[str, Any]:
        """Return the question for a page, its texts in every language."""
        data: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "form": self.form,
            "prompt": _told(self.prompt),
            "node": self.node,
            "answer": _plain(self.answer),
            "shows": _english(answer_text(self.answer)),
            "why": _told(self.why),
            "otherwise": _told(self.otherwise),
            "moment": self.moment,
            "step": _told(self._at(self.moment, self.step)),
            "hints": list(map(_told, self.hints)),
            "cases": [[_plain(case.answer), _told(case.text)] for case in self.cases],
        }
        if self.choices:
            data["choices"] = [{"key": key, "name": _told(name), "node": node} for key, name, node in self.choices]
        if self.form == "branches":
            data["covered"] = self.covered
            data["settled"] = {key: [moment, _told(text)] for key, (moment, text) in self.settled.items()}
        if self.shown is not None:
            data["shown"] = self.shown
        return data


def read_answer(question: ExerciseQuestion, text: str) -> Answer:
    """Return the answer that a person typed."""
    text = text.strip()
    if question.form == "number":
        return _read_number(text)
    if question.form == "window":
        parts = re.sub(r"[\[\]();]", " ", text).split()
        if len(parts) == 1:
            parts = parts[0].split(",")
        if len(parts) != 2:
            raise BadInput("{text!r} is not a window: write α and β, for example 3 +inf", text=text)
        return _read_number(parts[0].rstrip(",")), _read_number(parts[1])
    keys = {choice.key for choice in question.choices}
    known = ", ".join(choice.key for choice in question.choices[:12]) + (" …" if len(keys) > 12 else "")
    if question.form == "choice":
        if text not in keys:
            raise BadInput("no {text!r} here: choose one of {known}", text=text, known=known)
        return text
    said = frozenset() if text in ("-", "none", "ninguna") else frozenset(text.replace(",", " ").split())
    for key in sorted(said - keys):
        raise BadInput("no branch {key!r}: choose among {known}, or - for none", key=key, known=known)
    if not text:
        raise BadInput("name the branches, for example 2/2 2/3, or - for none")
    return said


def _read_number(text: str) -> float:
    """Return a number as people write it: 3,5 or −2 or 1/3 or +∞."""
    plain_text = text.strip().replace("−", "-").replace(",", ".")
    if found := _INFINITY.fullmatch(plain_text):
        return -math.inf if found[1] == "-" else math.inf
    above, slash, below = plain_text.partition("/")
    try:
        number = float(above) / float(below) if slash else float(above)
    except (ValueError, ZeroDivisionError):
        number = math.nan
    if not math.isfinite(number):
        raise BadInput("{text!r} is not a number", text=text)
    return number


def answer_text(answer: Answer) -> Text | str:
    """Return an answer as people write it."""
    if isinstance(answer, tuple):
        return figures("[{}, {}]", *answer)
    if isinstance(answer, frozenset):
        return " ".join(sorted(answer)) or "–"
    return number_text(answer) if isinstance(answer, float) else answer


def _near(one: float, other: float) -> bool:
    return one == other or abs(one - other) <= TOLERANCE


def _filled(text: Text, said: Text | str) -> Text:
    texts = text.in_all_languages().items()
    answers = {name: said if isinstance(said, str) else said.into(name) for name, _ in texts}
    return Text.rendered({name: words.replace("{said}", answers[name]) for name, words in texts})


def _english(text: Text | str) -> str:
    return text if isinstance(text, str) else text.into("en")


def _told(text: Text | str) -> str | dict[str, str]:
    return text if isinstance(text, str) else text.in_all_languages()


def _plain(answer: Answer) -> Any:
    """JSON has no infinity: it is a string."""
    if isinstance(answer, tuple):
        return [plain(bound) if math.isfinite(bound) else ("inf" if bound > 0 else "-inf") for bound in answer]
    return sorted(answer) if isinstance(answer, frozenset) else answer
