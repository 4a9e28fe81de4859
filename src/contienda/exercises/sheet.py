"""A worksheet: an exercise to print, blank or solved, as HTML (the browser makes the PDF) and as LaTeX."""

from __future__ import annotations

from html import escape

from contienda.core.drawn import picture_svg
from contienda.core.language import Text, language, say
from contienda.core.picture import Picture, grid_text
from contienda.exercises.asking import AskedExercise, exercise_picture
from contienda.exercises.question import ExerciseQuestion, answer_text
from contienda.exercises.stage import staged_trace
from contienda.trace.drawing import LINE, Place, crowded
from contienda.trace.model import Trace
from contienda.trace.svg import STYLE, TreeImage, body, picture

__all__ = ["worksheet", "worksheet_latex"]

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
@page {{ margin: 15mm; }}
body {{ max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; font: 15px/1.45 system-ui, sans-serif; color: #111;
  background: #fff; }}
h1 {{ font-size: 1.4rem; }}
.name {{ float: right; }}
.board svg {{ display: block; height: 11rem; width: auto; margin: 1rem auto; }}
.trace {{ display: block; max-width: 100%; height: auto; margin: 1rem auto; }}
li {{ margin: 0.6rem 0; break-inside: avoid; }}
.line {{ border-bottom: 1px solid #555; height: 1.8rem; }}
.answer {{ font-weight: 700; }}
code {{ font-size: 0.9em; }}
@media print {{ body {{ margin: 0; max-width: none; }} }}
{style}
</style>
</head>
<body>
{head}
{content}
</body>
</html>
"""

_LINES = {"branches": 2}


def worksheet(found: AskedExercise, *, solved: bool) -> str:
    """Return the worksheet as an HTML page, in the current language."""
    title, text = _title(found), str(found.exercise.words("text"))
    name = "" if solved else f'<p class="name">{escape(say("Name:"))} ______________________</p>'
    head = f"{name}<h1>{escape(title)}</h1>" + (f"<p>{escape(text)}</p>" if text else "")
    head += f"<p><code>{escape(found.exercise.player)} · {escape(found.exercise.game)}</code></p>"
    board = exercise_picture(found.exercise)
    parts = [] if board is None else [f'<div class="board">{picture_svg(board)}</div>']
    if _one_tree(found):
        parts.append(_svg(_whole(found, solved=solved)))
    parts.append("<ol>")
    for question in found.questions:
        drawing = "" if question.shown is None else _svg(staged_trace(found.trace, question))
        written = (
            f'<p><span class="answer">{escape(_answer(question))}</span> {escape(str(question.why))}</p>'
            if solved
            else '<div class="line"></div>' * _LINES.get(question.form, 1)
        )
        parts.append(f"<li>{escape(str(question.prompt))}{drawing}{written}</li>")
    parts.append("</ol>")
    return _PAGE.format(language=language(), title=escape(title), style=STYLE, head=head, content="\n".join(parts))


def _title(found: AskedExercise) -> str:
    return str(found.exercise.words("title")) or found.exercise.player


def _answer(question: ExerciseQuestion) -> str:
    """Return the answer; of a choice its name."""
    names = (choice.name for choice in question.choices or () if choice.key == question.answer)
    return str(next(names, answer_text(question.answer)))


def _one_tree(found: AskedExercise) -> bool:
    """Whether all questions are about one drawing."""
    return any(question.shown is None for question in found.questions)


def _whole(found: AskedExercise, *, solved: bool) -> Trace:
    return found.trace if solved else staged_trace(found.trace)


def _svg(trace: Trace) -> str:
    image = picture(trace)
    width, height = image.width, image.height
    about = escape(say("the tree"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label="{about}" class="trace">{body(trace, image)}</svg>'
    )


# --- LaTeX -----------------------------------------------------------------------------------------------------------

_LATEX = r"""\documentclass[a4paper,11pt]{article}
\usepackage{iftex}
\ifPDFTeX\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{lmodern,textcomp}\else\usepackage{fontspec}\fi
\usepackage{tikz,amssymb,adjustbox}
\usepackage[margin=20mm]{geometry}
\usetikzlibrary{shapes.geometric}
\tikzset{
  max/.style={draw, regular polygon, regular polygon sides=3, inner sep=0pt, minimum size=7mm},
  min/.style={max, shape border rotate=180},
  chance/.style={draw, circle, inner sep=0pt, minimum size=6mm},
  leaf/.style={draw, rectangle, inner sep=0pt, minimum size=5mm},
  state/.style={draw, rectangle, rounded corners=1mm, inner sep=1mm, align=center, font=\ttfamily\footnotesize},
  skipped/.style={dashed},
  edge/.style={font=\scriptsize, fill=white, inner sep=1pt}}
\setlength{\parindent}{0pt}
\begin{document}
%s
\end{document}
"""

#: Centimetres per pixel of the drawing.
_CM = 0.026

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    # Signs that the usual text fonts lack.
    "α": r"$\alpha$", "β": r"$\beta$", "∞": r"$\infty$", "−": "$-$", "√": r"$\surd$", "×": r"$\times$",
    "≥": r"$\geq$", "≤": r"$\leq$", "→": r"$\to$", "←": r"$\gets$", "★": r"$\star$",
}  # fmt: skip


def worksheet_latex(found: AskedExercise, *, solved: bool) -> str:
    """Return the worksheet as a LaTeX document, in the current language."""
    title, text = _title(found), str(found.exercise.words("text"))
    name = "" if solved else rf"\hfill {_tex(say('Name:'))} \underline{{\hspace{{5cm}}}}"
    lines = [rf"{{\Large\bfseries {_tex(title)}}}{name}\par\medskip", _tex(text) + r"\par" if text else ""]
    lines.append(rf"\texttt{{{_tex(found.exercise.player)} · {_tex(found.exercise.game)}}}\par")
    if (board := exercise_picture(found.exercise)) is not None:
        lines.append(_board_latex(board))
    if _one_tree(found):
        lines.append(_tikz(_whole(found, solved=solved)))
    lines.append(r"\begin{enumerate}")
    for question in found.questions:
        lines.append(rf"\item {_tex(str(question.prompt))}")
        if question.shown is not None:
            lines.append(_tikz(staged_trace(found.trace, question)))
        lines += _answer_lines(question, solved=solved)
    lines.append(r"\end{enumerate}")
    return _LATEX % "\n".join(line for line in lines if line)


def _answer_lines(question: ExerciseQuestion, *, solved: bool) -> list[str]:
    if solved:
        return [rf"\par\nopagebreak\textbf{{{_tex(_answer(question))}}} {_tex(str(question.why))}"]
    return [r"\par\nopagebreak\vspace{8mm}\hrule"] * _LINES.get(question.form, 1)


def _board_latex(board: Picture) -> str:
    """Return a board as a table: the label of each piece, or the sign that stands for it."""
    lines = [r"\begin{center}\renewcommand{\arraystretch}{1.3}", rf"\begin{{tabular}}{{{'|c' * board.columns}|}}\hline"]
    lines += [" & ".join(map(_tex, row)) + r"\\\hline" for row in grid_text(board)]
    caption = "" if board.caption is None else rf"\par {_tex(board.caption)}"
    return "\n".join([*lines, rf"\end{{tabular}}{caption}\end{{center}}"])


def _tikz(trace: Trace) -> str:
    image = picture(trace)
    lines = [r"\begin{center}\begin{adjustbox}{max width=\linewidth}\begin{tikzpicture}"]
    lines += [_tikz_node(image, place) for place in image.places]
    tight = crowded(image.places)
    for above in image.places:
        for rank in above.children:
            below = image.places[rank]
            style = "[skipped] " if below.node.crossed else ""
            start, end, edge = f"(n{above.node.id})", f"(n{below.node.id})", f"{{{_tex(below.node.edge)}}}"
            if above.rank in tight:
                lines.append(
                    rf"\draw {style}{start} -- {end}; \node[edge, above=1pt] at (n{below.node.id}.north) {edge};"
                )
            else:
                lines.append(rf"\draw {style}{start} -- node[edge, pos=0.6] {edge} {end};")
    lines.append(r"\end{tikzpicture}\end{adjustbox}\end{center}")
    return "\n".join(lines)


def _tikz_node(image: TreeImage, place: Place) -> str:
    node = place.node
    x, y = image.middle(place)
    kind = node.kind if node.kind in ("max", "min", "chance") else "state" if place.rows else "leaf"
    inside = r"\\".join(map(_tex, place.rows))
    label = f"{node.note} = {node.label}" if " + " in node.note.message else f"{node.label} {node.note}".strip()
    side = "right" if place.beside else "below"
    shown = rf", label={{[font=\small]{side}:{{{_tex(label)}}}}}" if label else ""
    skipped = ", skipped" if node.crossed else ""
    drop = y + (LINE if place.rows else 0)
    return rf"\node[{kind}{skipped}{shown}] (n{node.id}) at ({x * _CM:.2f},{-drop * _CM:.2f}) {{{inside}}};"


def _tex(text: str | Text) -> str:
    """Return text that LaTeX prints as it is."""
    return "".join(_SPECIAL.get(character, character) for character in str(text))
