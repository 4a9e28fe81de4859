"""The files to change for an addition: each kind is added to a copy of the package, and then appears everywhere.

The table in docs/en/architecture.md names these tests. `added` counts the files that an addition touched.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drive import contienda

import contienda as library

PACKAGE = Path(library.__file__).parent
DOCS = Path(__file__).parents[2] / "docs"


def _insert(file: Path, before: str, text: str) -> None:
    source = file.read_text(encoding="utf-8")
    assert source.count(before) == 1, (file, before)
    file.write_text(source.replace(before, text + before), encoding="utf-8")


# --- The additions ---------------------------------------------------------------------------------------------------


def add_game(package: Path) -> None:
    """The compiled Nim of the guide, with a name."""
    guide = (DOCS / "en" / "write-a-game.md").read_text(encoding="utf-8")
    listing = re.search(r"^```python\n(# fastnim.py\n.*?)^```", guide, re.MULTILINE | re.DOTALL)
    assert listing
    text = listing[1].replace('    title = Text("Nim"', '    name = "fastnim"\n    title = Text("Nim"')
    (package / "games" / "fastnim.py").write_text(text, encoding="utf-8")


def add_search(package: Path) -> None:
    """Minimax under another name."""
    source = (package / "search" / "minimax.py").read_text(encoding="utf-8")
    (package / "search" / "twin.py").write_text(source.replace("build_minimax", "build_twin"), encoding="utf-8")
    entry = """    PlayerInfo(
        "twin",
        Text("minimax again"),
        _BY_SEARCH,
        _SEARCH,
        weights=True,
        kinds=frozenset({MAX, MIN}),
        search="contienda.search.twin:build_twin",
    ),
"""
    _insert(package / "players" / "catalogue.py", '    PlayerInfo(\n        "alphabeta",\n', entry)


def add_evaluator(package: Path) -> None:
    """A sum of a term that is there."""
    entry = '        Evaluator("brim", {"frontier": Term(frontier)}, meaning=Text("Few discs at the brim.")),\n'
    _insert(package / "games" / "othello.py", '        Evaluator(\n            "discs",\n', entry)


def add_term(package: Path) -> None:
    """A number that no evaluator of Othello saw before: who has more of the four cells in the middle."""
    game = package / "games" / "othello.py"
    term = """@njit(cache=True)
def centre(state):
    return float(popcount(state.max & _CENTRE) - popcount(state.min & _CENTRE))


"""
    _insert(game, "_FITTED = Text(\n", term)
    _insert(game, '{"discs": Term(discs)}', '{"centre": Term(centre)} | ')


def add_chart(package: Path) -> None:
    text = '''"""How many games each played."""

import altair as alt

from contienda.core.language import Text
from contienda.lab.figures import figure


@figure("counted", Text("Games played"), of="games")
def counted(table):
    return alt.Chart(table.group_by("name").len()).mark_bar().encode(alt.X("len:Q"), alt.Y("name:N"))
'''
    (package / "lab" / "figures" / "counted.py").write_text(text, encoding="utf-8")
    _translate(package, "Games played", "Partidas jugadas")


def _translate(package: Path, english: str, spanish: str) -> None:
    catalogue = package / "locales" / "es" / "LC_MESSAGES" / "contienda.po"
    text = catalogue.read_text(encoding="utf-8")
    catalogue.write_text(f'{text}\nmsgid "{english}"\nmsgstr "{spanish}"\n', encoding="utf-8")


def add_language(package: Path) -> None:
    folder = package / "locales" / "ast" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    head = 'msgid ""\nmsgstr ""\n"Language: ast\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
    (folder / "contienda.po").write_text(f'{head}msgid "Connect 4"\nmsgstr "Coneuta 4"\n', encoding="utf-8")
    (package / "web" / "static" / "texts" / "ast.json").write_text('{"language.name": "Asturianu"}', encoding="utf-8")


def add_screen(package: Path) -> None:
    static = package / "web" / "static"
    (static / "js" / "elements" / "hello-screen.js").write_text(HELLO_SCREEN, encoding="utf-8")
    for language, text in {"en": "Hello", "es": "Hola"}.items():
        texts = static / "texts" / f"{language}.json"
        words = json.loads(texts.read_text(encoding="utf-8"))
        texts.write_text(json.dumps(words | {"hello": text}, ensure_ascii=False), encoding="utf-8")


def add_drawing(package: Path) -> None:
    """Told by the game as ``drawing = "board-nim"``."""
    static = package / "web" / "static"
    (static / "js" / "elements" / "board-nim.js").write_text("// draws Nim", encoding="utf-8")
    (static / "css" / "board-nim.css").write_text("board-nim { display: block; }", encoding="utf-8")


HELLO_SCREEN = """import { t } from "../i18n.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";

class HelloScreen extends View {
  render() {
    return h("h1", {}, t("hello"));
  }
}

defineScreen("hello", HelloScreen, { place: { order: 4, text: "hello" } });
"""

#: What is added, and the files that the table allows for it.
ADDITIONS: dict[str, tuple[Callable[[Path], None], int]] = {
    "a game": (add_game, 1),
    "a game's own drawing": (add_drawing, 2),
    "a search": (add_search, 2),
    "an evaluator": (add_evaluator, 1),
    "an evaluator's term": (add_term, 1),
    "a language": (add_language, 2),
    "a screen": (add_screen, 3),
    "a chart": (add_chart, 2),
}

#: Everywhere at once, in one process: the lists, the app, a search, the figures of a few games.
LOOK = """
import json
from contienda import make_game, make_player
from contienda.cli.listing import as_data
from contienda.core.language import Text
from contienda.evaluation.compiled import compile_evaluator
from contienda.lab.figures import all_figures
from contienda.web import pages
from contienda.web.catalogue import catalogue
from contienda.web.settings import Settings
from pathlib import Path

app = catalogue(Settings("127.0.0.1", 0, Path()), False)
static = Path(pages.__file__).parent / "static"
files = pages.Pages(None, static)._files
nim, othello = make_game("fastnim"), make_game("othello")
position = nim.parse("(1, 2, 2)")

def seen(player):
    analysis = make_player(player, nim).analyse(position)
    return [(move.move, move.value) for move in analysis.moves], analysis.counters.nodes

def terms(game, name, text):
    return compile_evaluator(name, game, {}).terms(game.parse(text))

print(json.dumps({
    "lists": {kind: [row["name"] for row in as_data(kind)] for kind in ("games", "players", "evaluators")},
    "app": {
        "games": list(app["games"]),
        "players": {player["name"]: player["games"] for player in app["players"]},
        "evaluators": {each["name"]: each["games"] for each in app["evaluators"]},
    },
    "title": Text("Connect 4").in_all_languages(),
    "searches": [seen("minimax:depth=4"), seen("twin:depth=4")],
    "brim": terms(othello, "brim", "f5d6c3"),
    "discs": terms(othello, "discs", "f5d6c3"),
    "figure": all_figures()["counted"].title.in_all_languages(),
    "drawings": files["/js/all-drawings.js"].content.decode(),
    "page": files["/"].content.decode(),
    "screens": files["/js/all-screens.js"].content.decode(),
    "texts": files["/js/texts.js"].content.decode(),
}))
"""


class Everything:
    """The copy with all additions, the files that each touched, and what is to be seen there."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "contienda"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__", "networks", "books"))
        self.touched: dict[str, list[str]] = {}
        before = self._files()
        for what, (add, _) in ADDITIONS.items():
            add(self.package)
            after = self._files()
            self.touched[what] = sorted(name for name in after if after[name] != before.get(name))
            before = after
        where = os.environ | {"PYTHONPATH": str(folder)}
        code = [sys.executable, "-c", LOOK]
        ran = subprocess.run(code, capture_output=True, encoding="utf-8", env=where, check=False)
        assert ran.returncode == 0, ran.stderr
        self.seen: dict[str, Any] = json.loads(ran.stdout)

    def _files(self) -> dict[str, bytes]:
        found = (path for path in self.package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {path.relative_to(self.package).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    return Everything(tmp_path_factory.mktemp("copy"))


# --- The table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ADDITIONS)
def test_it_takes_no_more_files_than_the_table_says(what, everything):
    assert 1 <= len(everything.touched[what]) <= ADDITIONS[what][1], everything.touched[what]


@pytest.mark.parametrize("page", ["en/architecture.md", "es/arquitectura.md"])
def test_the_table_has_these_numbers(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| (≤ )?(\d) \| [^|]+ \| [^|]*test_extending[^|]*\|$", text, re.MULTILINE)
    assert [int(number) for _, number in rows] == [most for _, most in ADDITIONS.values()]


def test_a_new_game_is_in_the_lists_and_the_app(everything):
    assert "fastnim" in everything.seen["lists"]["games"]
    assert "fastnim" in everything.seen["app"]["games"]
    assert "fastnim" in everything.seen["app"]["players"]["alphabeta"]


def test_a_new_drawing_is_loaded_with_its_style(everything):
    assert 'import "./elements/board-nim.js";\n' in everything.seen["drawings"]
    sheets = re.findall(r'rel="stylesheet" href="([^"]+)"', everything.seen["page"])
    assert sheets.index("css/tiles.css") < sheets.index("css/board-nim.css") < sheets.index("css/machine.css")


def test_a_new_search_plays_as_its_source_says(everything):
    assert "twin" in everything.seen["lists"]["players"]
    assert "othello" in everything.seen["app"]["players"]["twin"]
    assert "einstein" not in everything.seen["app"]["players"]["twin"]  # it knows no luck
    by_minimax, by_twin = everything.seen["searches"]
    assert by_twin == by_minimax


def test_a_new_evaluator_and_a_new_term_are_offered(everything):
    assert {"brim", "odd"} <= set(everything.seen["lists"]["evaluators"])
    assert everything.seen["app"]["evaluators"]["brim"] == ["othello"]
    assert everything.seen["app"]["evaluators"]["odd"] == ["fastnim"]
    assert list(everything.seen["brim"]) == ["frontier"]
    assert everything.seen["discs"] == {"centre": 2.0, "discs": 3.0}


def test_a_new_language_is_its_catalogues(everything):
    assert everything.seen["title"]["ast"] == "Coneuta 4"
    assert "Asturianu" in everything.seen["texts"]


def test_a_new_chart_is_among_the_figures(everything):
    assert everything.seen["figure"]["en"] == "Games played"
    assert everything.seen["figure"]["es"] == "Partidas jugadas"


def test_a_new_screen_is_loaded_with_its_texts(everything):
    """`tests/browser/test_screens.py` looks at it."""
    assert 'import "./elements/hello-screen.js";\n' in everything.seen["screens"]
    assert "app-screen" not in everything.seen["screens"]
    assert "Hola" in everything.seen["texts"]


# --- The same from outside -------------------------------------------------------------------------------------------


OWN = '''from contienda import Evaluator, PlainGame


def even(total):
    return 1 if total % 2 == 0 else -1


class Count(PlainGame):
    """Add 1 or 2 up to 7."""

    evaluators = (Evaluator("even", {"even": even}, {"even": 3}),)

    def start(self):
        return 0

    def moves(self, total):
        return [add for add in (1, 2) if total + add <= 7]

    def play(self, total, add):
        return total + add

    def worth(self, total, mover):
        return -1 if mover == 1 else 1
'''


@pytest.fixture
def own(tmp_path, monkeypatch):
    (tmp_path / "count.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "./count.py:Count"


def test_an_evaluator_of_ones_own_game_is_everywhere(own, tmp_path):
    listed = contienda("list", "evaluators", "--game", own, "--json").json["evaluators"]
    assert [each["name"] for each in listed] == ["none", "even", "guess"]
    assert listed[1]["weights"] == {"even": 3.0}
    assert "even" in contienda("list", "evaluators", "--game", own).out

    found = contienda("evaluate", own, "4", "--eval", "even,even=5", "--json").json
    assert (found["value"], found["terms"], found["weights"]) == (5.0, {"even": 1.0}, {"even": 5.0})
    second = contienda("evaluate", own, "4 second", "--eval", "even", "--json").json
    assert second["value"] == -3.0  # player 2 is MAX, and what is good for player 1 is bad

    hint = contienda("hint", own, "1", "--player", "minimax:depth=1,eval=even", "--json").json
    assert {move["move"]: move["value"] for move in hint["moves"]} == {"1": 3.0, "2": -3.0}

    plan = f'game = "{own}"\ngames = 2\nplayers = ["alphabeta:depth=2,eval=even", "random"]\nopponents = ["random"]\n'
    (tmp_path / "plan.toml").write_text(plan, encoding="utf-8")
    ran = contienda("lab", "run", "plan.toml", "--out", "out.sqlite")
    assert ran.code == 0, ran.err


def test_what_is_wrong_with_an_evaluator_is_one_sentence(own, tmp_path):
    assert "no evaluator 'evne'" in contienda("hint", own, "1", "--player", "alphabeta:eval=evne").complaint
    assert "even has no weight 'odd'" in contienda("evaluate", own, "1", "--eval", "even,odd=1").complaint
    file = tmp_path / "count.py"
    file.write_text(OWN.replace('{"even": 3}', '{"evne": 3}'), encoding="utf-8")
    assert "no term of that name" in contienda("check", own).complaint
    file.write_text(OWN.replace("return 1 if", "return float('nan') if"), encoding="utf-8")
    ran = contienda("check", own)
    assert ran.code != 0
    assert "the term even of even is nan" in ran.out + ran.err
