"""Specs are strict: errors are refused in one line, in both languages, and the line says what is valid."""

from __future__ import annotations

import contextvars

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contienda.core.analysis import Limit
from contienda.core.language import BadInput, language, say, use_language
from contienda.core.specs import Spec, parse_spec
from contienda.evaluation.g2048 import network_file
from contienda.evaluation.g2048.network_file import write_file
from contienda.evaluation.g2048.ntuple import Network
from contienda.games import make_game
from contienda.players import PLAYERS, make_player

GAME = make_game("2048")


def refusals(act) -> tuple[str, str]:
    """What is said in English and in Spanish."""

    def refuse(name):
        use_language(name)
        with pytest.raises(BadInput) as refused:
            act()
        return str(refused.value)

    return tuple(contextvars.copy_context().run(refuse, name) for name in ("en", "es"))


def check_refused(act, english, spanish):
    for message, parts in zip(refusals(act), (english, spanish), strict=True):
        assert "\n" not in message
        for part in [parts] if isinstance(parts, str) else parts:
            assert part in message, message


# --- The text --------------------------------------------------------------------------------------------------------

words = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_./", min_size=1, max_size=8)


@given(words, st.dictionaries(words, words, max_size=4))
def test_specs_read_back(name, options):
    spec = Spec(name, options)
    assert parse_spec(str(spec)) == spec
    spaced = " , ".join(f" {key} = {value}" for key, value in options.items())
    assert parse_spec(f"  {name} :{spaced} ") == spec


def test_values_may_hold_colons_and_equals():
    assert parse_spec("greedy:eval=./mine.py:corner").options == {"eval": "./mine.py:corner"}
    assert parse_spec("greedy:a=b=c").options == {"a": "b=c"}
    assert parse_spec("greedy:") == parse_spec("greedy") == Spec("greedy", {})


@pytest.mark.parametrize(
    ("text", "english", "spanish"),
    [
        ("", "names nothing: write NAME or NAME:KEY=VALUE", "no nombra nada: escribe NOMBRE o NOMBRE:CLAVE=VALOR"),
        (":depth=3", "names nothing", "no nombra nada"),
        (
            "minimax:depth",
            "'depth' in 'minimax:depth' is not KEY=VALUE",
            "'depth' en 'minimax:depth' no es CLAVE=VALOR",
        ),
        ("minimax:depth=", "is not KEY=VALUE", "no es CLAVE=VALOR"),
        ("minimax:=3", "is not KEY=VALUE", "no es CLAVE=VALOR"),
        ("minimax:depth=3,", "is not KEY=VALUE", "no es CLAVE=VALOR"),
        ("minimax:depth=3,depth=4", "depth is given twice", "depth aparece dos veces"),
        ("minimax:\ndepth\n", "is not KEY=VALUE", "no es CLAVE=VALOR"),
    ],
)
def test_what_is_no_spec(text, english, spanish):
    check_refused(lambda: parse_spec(text), english, spanish)
    check_refused(lambda: make_player(text, GAME), english, spanish)


# --- Names and values ------------------------------------------------------------------------------------------------

KNOWN = ", ".join(PLAYERS)


@pytest.mark.parametrize(
    ("spec", "english", "spanish"),
    [
        ("nobody", f"no player 'nobody': there are {KNOWN}", f"no hay jugador 'nobody': hay {KNOWN}"),
        ("Expectimax", f"there are {KNOWN}", f"hay {KNOWN}"),
        ("random:depth=3", "random has no parameter 'depth': it has none", "random no tiene el parámetro 'depth'"),
        ("human:depth=3", "human has no parameter 'depth': it has none", "human no tiene el parámetro 'depth'"),
        ("expectimax:depth=0", "depth=0 is out of range: levels go from 1 to 100", "los niveles van de 1 a 100"),
        ("expectimax:depth=-1", "depth=-1 is out of range", "depth=-1 está fuera de rango"),
        ("expectimax:depth=1000", "depth=1000 is out of range", "depth=1000 está fuera de rango"),
        ("expectimax:depth=x", "depth=x is not a whole number", "depth=x no es un número entero"),
        ("expectimax:depth=1.5", "depth=1.5 is not a whole number", "depth=1.5 no es un número entero"),
        ("expectimax:depth=1_0", "depth=1_0 is not a whole number", "depth=1_0 no es un número entero"),
        ("expectimax:depth=٣", "is not a whole number", "no es un número entero"),
        ("expectimax:depth=" + "9" * 400, "depth=999", "depth=999"),
        ("expectimax:nodes=0", "nodes=0 must be at least 1", "nodes=0 debe ser al menos 1"),
        ("expectimax:nodes=-5", "nodes=-5 must be at least 1", "nodes=-5 debe ser al menos 1"),
        ("expectimax:nodes=1e6", "nodes=1e6 is not a whole number", "nodes=1e6 no es un número entero"),
        ("expectimax:nodes=" + "9" * 30, "nodes=999", "nodes=999"),
        ("expectimax:ms=0", "ms=0 must be more than 0", "ms=0 debe ser mayor que 0"),
        ("expectimax:ms=-1", "ms=-1 must be more than 0", "ms=-1 debe ser mayor que 0"),
        ("expectimax:ms=soon", "ms=soon is not a number", "ms=soon no es un número"),
        ("expectimax:ms=nan", "ms=nan is not a number", "ms=nan no es un número"),
        ("expectimax:ms=inf", "ms=inf is not a number", "ms=inf no es un número"),
        ("minimax:opponent=me", "there are twos-and-fours, twos", "hay twos-and-fours, twos"),
        ("alphabeta:cutoffs=maybe", "cutoffs=maybe: write on or off", "cutoffs=maybe: escribe on u off"),
        ("greedy:ties=sideways", "there are up, right, down, left", "hay up, right, down, left"),
        ("greedy:ties=up-down-up", "ties=up-down-up names a move twice", "nombra dos veces una jugada"),
        ("greedy:eval=best", "no evaluator 'best' for 2048: there are none, uc3m-score", "no hay evaluador 'best'"),
        ("greedy:eval=uja", "no evaluator 'uja' for 2048", "no hay evaluador 'uja' para 2048"),
        ("greedy:eval=uma1,score=high", "score=high is not a number", "score=high no es un número"),
        (
            "greedy:eval=uma1,empty=2",
            "has no weight 'empty': it has score, mono, sim, room",
            "no tiene el peso 'empty'",
        ),
    ],
)
def test_what_cannot_be_right(spec, english, spanish):
    check_refused(lambda: make_player(spec, GAME), english, spanish)


@pytest.mark.parametrize("spec", ["expectimax:foo=bar", "expectimax:foo=3", "minimax:cutoffs=off", "greedy:depth=3"])
def test_unknown_keys_say_which_there_are(spec):
    """The key may have been meant as a parameter or as a weight: both are named."""
    name = spec.partition(":")[0]
    key = spec.partition(":")[2].partition("=")[0]
    english, spanish = refusals(lambda: make_player(spec, GAME))
    weight = "score" if name == "greedy" else "monotonicity"
    for message in (english, spanish):
        assert repr(key) in message
        assert weight in message
        assert all(parameter in message for parameter in PLAYERS[name].parameters), message


def test_parameters_that_an_algorithm_does_not_have_are_not_taken_silently():
    for spec in ("expectimax:opponent=twos", "minimax:cutoffs=on", "greedy:ms=5", "greedy:nodes=5"):
        with pytest.raises(BadInput):
            make_player(spec, GAME)


def test_games_that_do_not_fit_are_refused_in_plain_words():
    connect4 = make_game("connect4")
    check_refused(
        lambda: make_player("expectimax:depth=3", connect4),
        ["expectimax is for one player, and connect4 has two", "use minimax, alphabeta or expectiminimax"],
        ["expectimax es para un jugador, y connect4 tiene dos"],
    )
    chance = make_game("tree", "max[chance[0.5:min[2 4] 0.5:min[7 4]] 1]")
    check_refused(lambda: make_player("minimax", chance), "use expectiminimax", "usa expectiminimax")
    check_refused(
        lambda: make_player("greedy:eval=uma1", connect4), "no evaluator 'uma1' for connect4", "para connect4"
    )


@pytest.mark.parametrize(
    "spec", ["expectimax:depth=1", "expectimax:depth=100", "expectimax:ms=0.5", "expectimax:nodes=1", "human", "random"]
)
def test_the_edges_of_what_is_right(spec):
    assert make_player(spec, GAME).spec == spec


def test_every_player_is_made_by_its_name_alone(tmp_path, monkeypatch):
    network = Network(("01",))  # in the place of the shipped one, which takes a second to load
    write_file(tmp_path / "net", network, {"open": 1}, {"table": np.zeros(network.size, np.float32)})
    monkeypatch.setattr(network_file, "_SHIPPED", tmp_path / "net")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # what is solved is kept there
    games = [GAME, make_game("connect4"), make_game("2048:rows=2,columns=2")]
    for name, info in PLAYERS.items():
        player = make_player(name, next(game for game in games if info.takes(game)))
        assert player.spec == name == info.name
        assert info.about.into("en")
        assert info.about.into("es")
        assert info.about.into("en") != info.about.into("es")


def test_a_limit_needs_something():
    with pytest.raises(BadInput, match="a search needs a limit"):
        Limit()


# --- Languages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "es_UY"}, "es"),
        ({"LANG": "en_GB", "LANGUAGE": "es:en"}, "es"),
    ],
)
def test_the_language_is_that_of_the_locale(environment, expected, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert contextvars.Context().run(language) == expected


def test_a_language_is_chosen_for_a_context_only():
    def speak():
        use_language("es")
        return say("yes", es="sí")

    assert contextvars.copy_context().run(speak) == "sí"
    assert contextvars.Context().run(say, "yes", es="sí") == "yes"
    with pytest.raises(BadInput, match=r"no language 'fr': choose one of en, .*es"):
        use_language("fr")
