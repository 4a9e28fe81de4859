"""The results of a league as one HTML page for a course's site: ladder, cross table, and every game to replay.

It loads nothing: the games are in the page, position by position, as text.
"""

from __future__ import annotations

import json
from html import escape

from contienda.core.game import CHANCE
from contienda.core.language import number, plural, say
from contienda.core.picture import grid_text
from contienda.lab.report import html_table, page
from contienda.league.run import LeagueProgress
from contienda.league.standing import HeadToHead, LadderRow
from contienda.league.store import LeagueGame

__all__ = ["league_page"]

#: Characters of all games: a larger page opens slowly.
_LONGEST = 8_000_000

_SCRIPT = """
const games = JSON.parse(document.getElementById("games").textContent);
const [choice, board, place] = ["game", "board", "place"].map((id) => document.getElementById(id));
let shown = [];
const show = () => { board.textContent = shown[place.value] ?? ""; };
const choose = () => {
  shown = games[choice.value] ?? [];
  place.max = shown.length - 1; place.value = shown.length - 1; show();
};
choice.addEventListener("change", choose); place.addEventListener("input", show); choose();
"""


def league_page(progress: LeagueProgress) -> str:
    """Return the page."""
    standing = progress.standing()
    playing = [row for row in standing.rows if row.disqualified is None]
    names = [row.name for row in playing]
    headers = [say(each) for each in ("player", "rating", "95 %", "games", "won", "drawn", "lost", "points")]
    out = [
        f"<li>{escape(say('{name} is disqualified: {reason}', name=row.name, reason=row.disqualified))}</li>"
        for row in standing.rows
        if row.disqualified is not None
    ]
    options, games, left = _replays(progress)
    notes = [escape(str(note)) for note in standing.notes]
    if left:
        told = plural("{n} game does not fit in this page", "{n:,} games do not fit in this page", left)
        notes.append(escape(str(told)))
    parts = [
        html_table([*headers, ""], _ladder(playing)),
        *(f'<p class="note">{note}</p>' for note in notes),
        f"<h2>{say('Disqualified')}</h2><ul>{''.join(out)}</ul>" if out else "",
        f"<h2>{say('All against all')}</h2><p>{say('won–drawn–lost')}</p>",
        _cross_table(standing.cross, names),
        f"<h2>{say('Games')}</h2>",
        f'<p><label for="game">{say("game to replay")}</label> <select id="game">{options}</select></p>',
        f'<p><label for="place">{say("position")}</label> <input id="place" type="range" min="0"></p>',
        '<pre id="board" aria-live="polite"></pre>',
        f'<script type="application/json" id="games">{games}</script><script>{_SCRIPT}</script>',
    ]
    return page(f"{progress.game.title}: {say('league')}", parts)


def _ladder(rows: list[LadderRow]) -> list[list[str]]:
    """Return a line for each player, with a picture of the rating and its interval."""
    ends = [end for row in rows for end in (row.low, row.high) if end is not None]
    return [
        [
            escape(row.name) + (" *" if row.staff else ""),
            "–" if row.rating is None else number(row.rating, ",.0f"),
            "–" if row.low is None or row.high is None else f"{number(row.low, ',.0f')} – {number(row.high, ',.0f')}",
            *(str(count) for count in (row.games, row.won, row.drawn, row.lost)),
            number(row.points, ",.1f"),
            _whisker(row, min(ends), max(ends)) if ends else "",
        ]
        for row in rows
    ]


def _whisker(row: LadderRow, least: float, most: float) -> str:
    """Draw a rating and its interval between the least and the largest of the league."""
    if row.rating is None or row.low is None or row.high is None:
        return ""
    low, middle, high = (
        2 + 196 * (each - least) / max(most - least, 1.0) for each in (row.low, row.rating, row.high)
    )  # fmt: skip
    return (
        '<svg width="200" height="14" viewBox="0 0 200 14" aria-hidden="true">'
        f'<path d="M{low:.0f} 7H{high:.0f}" stroke="#0072B2" stroke-width="2"/>'
        f'<circle cx="{middle:.0f}" cy="7" r="4" fill="#0072B2"/></svg>'
    )


def _cross_table(cross: dict[str, dict[str, HeadToHead]], names: list[str]) -> str:
    """Return who met whom; the columns have the numbers of the lines."""
    numbered = list(enumerate(names, start=1))
    rows = [[f"{place}. {escape(name)}", *(_met(cross, name, other) for other in names)] for place, name in numbered]
    headers = [f'<abbr title="{escape(name)}">{place}</abbr>' for place, name in numbered]
    return html_table([say("player"), *headers], rows)


def _met(cross: dict[str, dict[str, HeadToHead]], name: str, other: str) -> str:
    counts = cross.get(name, {}).get(other)
    return "" if counts is None else f'<span style="white-space: nowrap">{"–".join(map(str, counts))}</span>'


def _replays(progress: LeagueProgress) -> tuple[str, str, int]:
    """Return the choices, the games as JSON, and the number of games that do not fit."""
    options: list[str] = []
    texts: list[str] = []
    room = _LONGEST
    for game in progress.games:
        text = json.dumps(_frames(progress, game), ensure_ascii=False).replace("<", "\\u003c")
        room -= len(text)
        if room < 0:
            break
        name = " – ".join(str(player) for player in game.pairing[:2] if player is not None)
        ending = {1: "1–0", 0: "½–½", 2: "0–1"}[game.winner] if game.winner is not None else f"{game.score:,}"
        options.append(f'<option value="{len(texts)}">{escape(name)}: {ending}</option>')
        texts.append(text)
    return "".join(options), f"[{','.join(texts)}]", len(progress.games) - len(texts)


def _frames(progress: LeagueProgress, game: LeagueGame) -> list[str]:
    """Return every position at which a player is to move, and the last, as text."""
    rules = progress.game
    states = list(game.states(rules))
    seen = [state for state in states[:-1] if rules.rules.turn(state) != CHANCE] + states[-1:]
    frames = []
    for state in seen:
        picture = rules.picture(state)
        if picture is None:
            frames.append(rules.format(state))
            continue
        rows = grid_text(picture)
        width = max((len(cell) for row in rows for cell in row), default=1)
        frames.append("\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows))
    return frames
