"""The catalogues of texts: `make texts` brings them up to date, and the tests check them.

Every message is merged by Babel into each language's ``.po``, which drops those that nobody says any more. A text that
is new stands there without its translation, and a text that was changed with the old one, marked fuzzy: write it in,
take the mark away, and `make test` is content. ``make texts NEW=fr`` begins a language.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from babel.numbers import format_decimal

from contienda.core.language import LANGUAGES
from contienda.core.po import LARGE, SMALL

__all__ = ["PACKAGE", "catalogue_path", "extracted", "faults_of_calls", "faults_of_catalogue", "read"]

PACKAGE = Path(__file__).parent.parent / "src" / "contienda"


# --- Who says something ----------------------------------------------------------------------------------------------


@cache
def _trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_bytes()) for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def speakers() -> dict[str, int]:
    """What takes a message, by name, and which of its arguments that is: `Text`, `say`, and every kind of error."""
    found = {"Text": 0, "say": 0, "BadInput": 0}
    classes = [node for tree in _trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for _ in range(3):  # errors that derive from errors
        for node in classes:
            bases = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in found]
            if bases and bases != ["Text"]:
                found.setdefault(node.name, _place_of_message(node, found[bases[0]]))
    return {name: place for name, place in found.items() if place >= 0}


def _place_of_message(node: ast.ClassDef, inherited: int) -> int:
    made = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    if not made:
        return inherited
    names = [argument.arg for argument in (*made[0].args.posonlyargs, *made[0].args.args)]
    return names.index("message") - 1 if "message" in names else -1


def _calls() -> Iterator[tuple[str, ast.Call, list[ast.expr]]]:
    """Every call that says something: where it stands, and its messages."""
    for path, tree in _trees().items():
        foreign = {  # rich has a Text too
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("contienda")
            for alias in node.names
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", "")
            if isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "super().__init__":
                name = "BadInput" if any(isinstance(argument, ast.Constant) for argument in node.args) else ""
            place = f"{path.relative_to(PACKAGE)}:{node.lineno}"
            if name == "plural":
                yield place, node, node.args[:2]
            elif name in speakers() and name not in foreign and len(node.args) > speakers()[name]:
                yield place, node, node.args[speakers()[name] : speakers()[name] + 1]


def _named_texts(place: str) -> set[str]:
    """The names that a file gives to strings."""
    assigned = (node for node in ast.walk(_trees()[PACKAGE / place.rpartition(":")[0]]) if isinstance(node, ast.Assign))
    return {
        target.id
        for node in assigned
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) and _has_words(node.value.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def names_in(text: str) -> set[str]:
    """The fields that a message names."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def faults_of_calls() -> list[str]:
    """Messages that cannot be extracted, and fields that a message does not name or lacks."""
    faults = []
    for place, call, messages in _calls():
        if any(isinstance(message, ast.JoinedStr | ast.BinOp | ast.IfExp) for message in messages):
            faults.append(f"{place}: a message is one string with fields, not one that is put together")
        if any(isinstance(message, ast.Name) and message.id in _named_texts(place) for message in messages):
            faults.append(f"{place}: a message stands in the call, where it is extracted, not under a name")
        given = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
        texts = [message.value for message in messages if isinstance(message, ast.Constant)]
        plural = getattr(call.func, "id", "") == "plural"
        wanted = {name for text in texts for name in names_in(text)} if given or plural else set()
        if plural:
            given, wanted = given | {"n"}, wanted | {"n"}
        if texts and not any(keyword.arg is None for keyword in call.keywords):
            faults += [f"{place}: the field {name} is not in the message, or not given" for name in given ^ wanted]
        at = speakers().get(getattr(call.func, "id", ""), 0)
        if not plural and len(call.args) > at + 1 and getattr(call.func, "id", "") in ("Text", "say", "BadInput"):
            faults.append(f"{place}: a message has no second text beside it")
    return faults


# --- The catalogues --------------------------------------------------------------------------------------------------


def extracted() -> Catalog:
    """Every message of the package, with the files that say it: the template of all catalogues.

    Not by Babel's own extractor, which reads tokens: it misses a text within another's fields, and takes Altair's
    ``Text`` for ours.
    """
    template = Catalog(project="contienda", charset="utf-8")
    for sample in (LARGE, SMALL):
        template.add(
            sample, auto_comments=["As the language writes numbers: its separators, and whether 1234 has one."]
        )
    for place, _, messages in _calls():
        texts = [message.value for message in messages if isinstance(message, ast.Constant)]
        if texts and _has_words(texts[0]):
            file = place.rpartition(":")[0]
            template.add(tuple(texts) if len(texts) > 1 else texts[0], locations=[(f"src/contienda/{file}", 0)])
    return template


def _has_words(message: str) -> bool:
    """Whether there is anything to translate beside the fields."""
    return re.search(r"[^\W\d_]", re.sub(r"\{[^}]*\}", "", message)) is not None


def catalogue_path(language: str) -> Path:
    return PACKAGE / "locales" / language / "LC_MESSAGES" / "contienda.po"


def read(path: Path, language: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def update(language: str) -> Catalog:
    """A language's catalogue with the messages of today, written."""
    catalog = read(catalogue_path(language), language)
    catalog.update(extracted(), no_fuzzy_matching=False, update_creation_date=False)
    catalog.obsolete.clear()
    catalog.fuzzy = False
    _write(catalog, language)
    return catalog


def _write(catalog: Catalog, language: str) -> None:
    path = catalogue_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=116, include_lineno=False, include_previous=True)


def faults_of_catalogue(catalog: Catalog) -> list[str]:
    """Messages that lack a translation, have one that nobody has looked at, or translate other fields."""
    template = {message.id: message for message in extracted() if message.id}
    known = {message.id: message for message in catalog if message.id}
    faults = [f"no entry: {message!r}" for message in template if message not in known]
    faults += [f"nobody says it any more: {message!r}" for message in known if message not in template]
    faults += [f"obsolete: {message!r}" for message in catalog.obsolete]
    for message in known.values():
        if message.fuzzy:
            faults.append(f"fuzzy: {message.id!r}")
        faults += _faults_of_message(message)
    return faults


def _faults_of_message(message: Message) -> list[str]:
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    strings = [message.string] if isinstance(message.string, str) else list(message.string or [""])
    if not all(strings):
        return [f"not translated: {ids[0]!r}"]
    try:
        wanted = {name for text in ids for name in names_in(text)}
        found = {name for text in strings for name in names_in(text)}
    except ValueError:  # braces that are no fields
        return []
    return [] if wanted == found else [f"other fields, {sorted(wanted)} and {sorted(found)}: {ids[0]!r}"]


def begin(language: str) -> None:
    """The files of a new language, with nothing translated but its numbers."""
    catalog = extracted()
    catalog.locale = Locale.parse(language)
    for sample in (LARGE, SMALL):
        catalog[sample].string = format_decimal(sample.replace(",", ""), locale=language)
    _write(catalog, language)
    browser = PACKAGE / "web" / "static" / "texts"
    shutil.copy(browser / "en.json", browser / f"{language}.json")


def main() -> None:
    new = [language for language in sys.argv[1:] if language not in LANGUAGES]
    for language in new:
        begin(language)
    for language in (*LANGUAGES[1:], *new):
        for fault in faults_of_catalogue(update(language)):
            print(f"{language}: {fault}")


if __name__ == "__main__":
    main()
