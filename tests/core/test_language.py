"""Texts: their fields, plurals and numbers, the catalogues of the languages, the texts of the browser."""

from __future__ import annotations

import ast
import contextvars
import gettext
import json
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import texts

from contienda.core.language import (
    LANGUAGES,
    BadInput,
    Figures,
    Text,
    bounds,
    joined,
    number,
    plural,
    say,
    use_language,
)
from contienda.core.po import read_catalogue
from contienda.lab.plan import WrongPlan
from contienda.trace.bundle import texts_module

OTHERS = LANGUAGES[1:]
STATIC = texts.PACKAGE / "web" / "static"


def spanish(ask):
    """What a function gives to somebody who reads Spanish."""

    def speak():
        use_language("es")
        return ask()

    return contextvars.copy_context().run(speak)


# --- Texts -----------------------------------------------------------------------------------------------------------


def test_a_text_is_said_in_the_language_of_its_reader():
    text = Text("no player {name!r}: there are {known}", name="x", known="a, b")
    assert text.into("en") == "no player 'x': there are a, b"
    assert text.into("es") == "no hay jugador 'x': hay a, b"
    assert spanish(lambda: str(text)) == text.into("es")
    assert text.in_all_languages() == {name: text.into(name) for name in LANGUAGES}


def test_texts_within_a_text_are_of_its_language():
    inner = BadInput("the folder {folder} does not exist", folder="x")
    text = Text("{path}: {error}", path=Path("p"), error=inner)
    assert text.into("es") == "p: " + inner.text.into("es") != "p: " + inner.text.into("en")
    moves = joined([Text("up"), "4", Text("left")], " ")
    assert (moves.into("en"), moves.into("es")) == ("up 4 left", "arriba 4 izquierda")


def test_authors_elsewhere_bring_their_translations_along():
    assert Text("Nim", es="Nim de Marienbad").into("es") == "Nim de Marienbad"
    assert Text("{n} sticks", n=3, es="{n} palillos").into("es") == "3 palillos"
    assert Text("Nim", fr="Nim de Marienbad").into("es") == "Nim"
    assert Text("{ms} milliseconds", ms=5).into("es") == "5 milliseconds"  # a field of two letters is a field


def test_braces_without_fields_are_braces():
    assert Text('{"leaves": 7}').into("es") == '{"leaves": 7}'
    assert Text("{name} and {{braces}}", name="{0.__class__}").into("en") == "{0.__class__} and {braces}"


def test_plurals():
    def games(n):
        return plural("{n} game", "{n:,} games", n).in_all_languages()

    assert games(1) == {"en": "1 game", "es": "1 partida"}
    assert games(0) == {"en": "0 games", "es": "0 partidas"}
    assert games(18033) == {"en": "18,033 games", "es": "18.033 partidas"}


@pytest.mark.parametrize(
    ("value", "form", "english", "in_spanish"),
    [
        (18033, ",", "18,033", "18.033"),
        (1100, ",", "1,100", "1100"),  # four digits are not grouped
        (1234567.891, ",.2f", "1,234,567.89", "1.234.567,89"),
        (0.125, ",.1%", "12.5%", "12,5%"),
        (1100, ">8,", "   1,100", "    1100"),
        (1.5, "g", "1.5", "1.5"),  # without a comma it is what one types
    ],
)
def test_numbers_are_written_as_the_reader_does(value, form, english, in_spanish):
    assert number(value, form) == english
    assert spanish(lambda: number(value, form)) == in_spanish
    assert Text(f"{{value:{form}}}", value=value).into("es") == in_spanish


def test_figures_already_written_have_the_readers_decimals_too():
    window, spec = Figures("[3.5, +∞] → [3.5, −2.25]"), "mcts:c=1.4"
    text = Text("{spec}: {window}", spec=spec, window=window)
    assert text.into("en") == "mcts:c=1.4: [3.5, +∞] → [3.5, −2.25]"
    assert text.into("es") == "mcts:c=1.4: [3,5; +∞] → [3,5; −2,25]"
    assert Figures("[−∞, +∞] → [3, 5]").into("es") == "[−∞; +∞] → [3; 5]"
    assert [Figures(values).into("es") for values in ("3, 4", "3.5, 4")] == ["3, 4", "3,5; 4"]
    assert (bounds(17.5, 18, ",.1f"), spanish(lambda: bounds(17.5, 18, ",.1f"))) == ("[17.5, 18.0]", "[17,5; 18,0]")


def test_a_field_stays_what_it_was():
    seen = [1]
    text = Text("{seen}", seen=seen)
    seen.append(2)
    assert str(text) == "[1]"


# --- Errors ----------------------------------------------------------------------------------------------------------


def test_an_error_carries_its_fields():
    error = BadInput("no player {name!r}: there are {known}", name="x", known="a")
    assert error.message == "no player {name!r}: there are {known}"
    assert error.fields == {"name": "x", "known": "a"}


@pytest.mark.parametrize("name", ["a\nb\x1b[31m", "x" * 5000, "{name}", "%s", "\ud800"])
def test_an_error_is_one_printable_line_whatever_it_quotes(name):
    outer = BadInput(
        "{path}: {error}", path=name, error=BadInput("no player {name}: there are {known}", name=name, known=1)
    )
    for told in outer.text.in_all_languages().values():
        assert told.isprintable()
        assert len(told) <= 1003


def test_an_error_reaches_another_process_as_it_was():
    error = WrongPlan("seed", "{key} = {number} must be at least 1", key="seed", number=18033)
    error.line = 3
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.about, again.line, again.text) == (WrongPlan, "seed", 3, error.text)
    assert again.text.into("es") == error.text.into("es") == "seed = 18033 debe ser al menos 1"


def test_what_was_said_before_is_never_filled_in():
    told = BadInput(Text.rendered({"en": "no {x.__class__}", "es": "no hay {x.__class__}"}))
    assert told.text.in_all_languages() == {"en": "no {x.__class__}", "es": "no hay {x.__class__}"}


def test_quoted_strings_are_changed_in_texts_within_too():
    inner = Text("cannot read {path}: {strerror}", path="/srv/x", strerror="full")
    text = Text("{path}: {error}", path="/srv/y", error=inner)
    assert text.quotes("/srv/x")
    hidden = text.with_quotes(lambda quoted: quoted.replace("/srv/", ""))
    assert hidden.into("en") == "y: cannot read x: full"
    assert not hidden.quotes("/srv")


# --- Catalogues ------------------------------------------------------------------------------------------------------


def test_every_message_can_be_extracted_and_has_its_fields():
    assert texts.faults_of_calls() == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_is_whole(language):
    """What is missing here `make texts` writes into the catalogue, for its translator."""
    assert texts.faults_of_catalogue(texts.read(texts.catalogue_path(language), language)) == []


def test_no_translation_stands_in_the_code():
    for path in texts.PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Dict):
                said = {getattr(key, "value", None): value for key, value in zip(node.keys, node.values, strict=True)}
                translated = [said[language] for language in LANGUAGES if language in said]
                assert not any(isinstance(each, ast.Constant) for each in translated), f"{path.name}:{node.lineno}"


def test_what_is_wrong_with_a_catalogue_is_found():
    catalog = texts.read(texts.catalogue_path("es"), "es")
    del catalog["stopped"]
    catalog["out of memory"].string = ""
    catalog["draw"].flags.add("fuzzy")
    catalog["wins in {n}"].string = "gana en {x}"
    catalog.add("nobody says this", "nadie lo dice")
    assert sorted(texts.faults_of_catalogue(catalog)) == [
        "fuzzy: 'draw'",
        "no entry: 'stopped'",
        "nobody says it any more: 'nobody says this'",
        "not translated: 'out of memory'",
        "other fields, ['n'] and ['x']: 'wins in {n}'",
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_our_reader_reads_what_babel_reads(language):
    path = texts.catalogue_path(language)
    ours, theirs = read_catalogue(path), texts.read(path, language)
    strings = {(m.id if isinstance(m.id, str) else m.id[0]): m.string for m in theirs if m.id}
    assert ours.texts == {key: (text,) if isinstance(text, str) else tuple(text) for key, text in strings.items()}
    theirs_form = gettext.c2py(theirs.plural_expr)
    assert [ours.plural_form(n) for n in range(300)] == [theirs_form(n) for n in range(300)]


FRENCH = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\n"

msgid "12,345.6"
msgstr "12 345,6"

msgid "1,234.5"
msgstr "1 234,5"

#: src/contienda/cli/__init__.py
msgid "stopped"
msgstr "arr"
"êté \"ici\""

msgid "out of memory"
msgstr ""

#, fuzzy
msgid "draw"
msgstr "dessin"

msgid "{n} game"
msgid_plural "{n:,} games"
msgstr[0] "{n} partie"
msgstr[1] "{n:,} parties"
"""


def test_a_language_is_a_folder(tmp_path):
    package = tmp_path / "contienda"
    shutil.copytree(texts.PACKAGE / "core", package / "core")
    shutil.copytree(texts.PACKAGE / "locales", package / "locales")
    shutil.copy(texts.PACKAGE / "__init__.py", package)
    catalogue = package / "locales" / "fr" / "LC_MESSAGES" / "contienda.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text(FRENCH, encoding="utf-8")
    code = (
        "from contienda.core.language import *\n"
        "print(LANGUAGES, language(), say('stopped'), number(1234), say('out of memory'), say('draw'))\n"
        "print(*(plural('{n} game', '{n:,} games', n) for n in (0, 1, 12345)), sep=';')\n"
    )
    environment = {"PYTHONPATH": str(tmp_path), "LANG": "fr_FR.UTF-8", "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf-8", check=True, cwd=tmp_path
    )
    assert ran.stdout.splitlines() == [
        "('en', 'es', 'fr') fr arrêté \"ici\" 1 234 out of memory draw",
        "0 partie;1 partie;12 345 parties",
    ]


# --- The browser -----------------------------------------------------------------------------------------------------


def browser_texts(language: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((STATIC / "texts" / f"{language}.json").read_bytes())
    return found


def fields_in(text: object) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", json.dumps(text)))


def test_browser_and_python_have_the_same_languages():
    assert sorted(path.stem for path in (STATIC / "texts").iterdir()) == sorted(LANGUAGES)


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_of_the_browser_is_whole(language):
    english, other = browser_texts("en"), browser_texts(language)
    assert sorted(english) == sorted(other)
    assert [key for key in english if fields_in(english[key]) != fields_in(other[key])] == []
    assert [key for key in other if not other[key]] == []


def test_every_text_of_the_browser_is_used_and_every_used_one_is_there():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted((STATIC / "js").rglob("*.js")))
    known = browser_texts("en")
    assert {key for key in re.findall(r'\bt\(\s*"([\w.-]+)"', sources) if key not in known} == set()
    written = set(re.findall(r'"([\w.-]+)"', sources))
    beginnings = tuple(re.findall(r"`([a-z]\w*\.[\w.-]*)\$\{", sources))
    assert [key for key in known if key not in written and not key.startswith(beginnings)] == []


def test_a_language_of_the_browser_is_a_file(tmp_path):
    shutil.copytree(STATIC / "texts", tmp_path / "texts")
    (tmp_path / "texts" / "ast.json").write_text('{"language.name": "Asturianu"}', encoding="utf-8")
    module = texts_module(tmp_path)
    found = json.loads(module.removeprefix("export const TEXTS = ").removesuffix(";\n"))
    assert list(found) == ["en", "ast", "es"]
    assert found["es"] == browser_texts("es")


def test_say_is_a_text_now():
    assert spanish(lambda: say("wins in {n}", n=3)) == "gana en 3"
