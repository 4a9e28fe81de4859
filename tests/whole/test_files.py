"""Files that are forged, damaged or from another program: each is refused in one sentence before any of it is used."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drive import contienda
from fuzz_files import FORMATS, _examples, _network_head, mutation, try_one

from contienda.core.language import BadInput
from contienda.evaluation.g2048.network_file import load_network, read_head
from contienda.lab.results import Results
from contienda.learning.saved import saved_plan
from contienda.learning.training import Training
from contienda.perfect.book import load_plies
from contienda.perfect.positions import Size


@pytest.mark.parametrize("name", FORMATS)
def test_mutated_files_are_read_or_refused(name, tmp_path):
    """A sample; `make fuzz` tries 100,000 of each."""
    for example in _examples(name):
        assert not try_one(name, example, tmp_path)
    for number in range(200):
        try_one(name, mutation(name, 0, number), tmp_path)


# --- Networks --------------------------------------------------------------------------------------------------------


def changed(name: str, path: list[Any], value: Any) -> bytes:
    """The last example of a format with one value of its head replaced."""
    before, line, after = _network_head(_examples(name)[-1])
    head = json.loads(line)
    holder = head
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return before + json.dumps(head).encode() + after


@pytest.mark.parametrize("name", ["network", "packed"])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["open"], -1),
        (["open"], 0),
        (["open"], 3),
        (["open"], 2**63),
        (["open"], "2"),
        (["open"], True),
        (["network", "tuples"], ["00", "45"]),
        (["network", "tuples"], ["10", "45"]),
        (["network", "tuples"], ["01", "01"]),
        (["network", "tuples"], ["01", "4 5"]),
        (["network", "tuples"], ["0g", "45"]),
        (["network", "tuples"], "01"),
        (["network", "stages"], ["0", "64"]),
        (["network", "stages"], [0, -5]),
        (["network", "stages"], [0, 64, 64]),
        (["network", "stages"], list(range(0, 6000, 100))),
        (["network", "stages"], [64, 128]),
        (["blocks", 0, 1], "|O"),
        (["blocks", 0, 1], "<f8"),
        (["blocks", 0, 2], -1),
        (["blocks", 0, 2], 2**62),
        (["blocks", 0, 0], "other"),
        (["blocks"], []),
        (["step"], 0),
        (["step"], -1.0),
        (["step"], "1"),
        (["step"], 1e39),
        (["step"], float("nan")),
    ],
)
def test_a_network_whose_head_lies_is_refused(name, path, value, tmp_path):
    file = tmp_path / "lying.net"
    file.write_bytes(changed(name, path, value))
    for read in (read_head, load_network, saved_plan):
        with pytest.raises(BadInput, match="incomplete or damaged"):
            read(file)


@pytest.mark.parametrize("name", ["network", "packed"])
@pytest.mark.parametrize("tuples", [["012", "45"], ["0", "4"], ["0123456789abcdef"]])
def test_a_network_of_more_or_fewer_weights_than_its_file_has_is_refused(name, tuples, tmp_path):
    file = tmp_path / "lying.net"
    file.write_bytes(changed(name, ["network", "tuples"], tuples))
    with pytest.raises(BadInput, match=r"incomplete or damaged|MB of memory"):
        load_network(file)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["plan", "point"], 0),
        (["plan", "seed"], "seven"),
        (["plan", "alpha"], float("inf")),
        (["plan", "carousel"], "yes"),
        (["plan", "more"], 1),
        (["progress", "games"], -1),
        (["progress", "seconds"], "long"),
        (["progress", "curve"], [[1, 2, 3]]),
        (["progress", "seats", 0, "rng"], -1),
        (["progress", "seats", 0, "rng"], 2**64),
        (["progress", "seats", 0, "tally", "tiles"], [0] * 17),
        (["progress", "seats", 0, "tally", "games"], -5),
        (["progress", "seats", 0, "starts", "next"], 2),
        (["progress", "seats", 0, "starts", "next"], -1),
        (["progress", "seats", 0, "starts", "reached"], [0, -1]),
        (["progress", "seats", 0, "starts", "reached"], [0, 2**70]),
        (["progress", "seats", 0, "starts", "cells", 1], [0] * 999),
        (["progress", "seats", 0, "starts", "cells", 1, 0], 0x1111111111111111),  # no room for the next tile
        (["progress", "seats"], None),
        (["progress"], None),
    ],
)
def test_a_training_run_that_lies_does_not_go_on(path, value, tmp_path):
    file = tmp_path / "lying.net"
    file.write_bytes(changed("network", path, value))
    with pytest.raises(BadInput, match=r"damaged|not written by a training run"):
        Training.resume(file, saved_plan(file), 1)


def test_weights_that_are_no_numbers_are_refused(tmp_path):
    """A value that is no number would be taken for a move that does not exist."""
    before, line, blocks = _network_head(_examples("network")[-1])
    for wrong in (np.nan, np.inf, 1e38):
        numbers = np.frombuffer(blocks[1:], np.float32).copy()
        numbers[3] = wrong
        file = tmp_path / "wrong.net"
        file.write_bytes(before + line + b"\n" + numbers.tobytes())
        with pytest.raises(BadInput, match=r"damaged \(table\)"):
            load_network(file)


@pytest.mark.parametrize("block", [0, 1, 2])
def test_a_small_file_that_unpacks_to_gigabytes_is_refused(block, tmp_path, monkeypatch):
    """It is unpacked to what is expected and one byte more."""
    before, line, blocks = _network_head(_examples("packed")[-1])
    head = json.loads(line)
    parts, at = [], 1
    for _, _, size in head["blocks"]:
        parts.append(blocks[at : at + size])
        at += size
    bomb = zlib.compressobj(9)
    parts[block] = b"".join(bomb.compress(bytes(1 << 20)) for _ in range(64)) + bomb.flush()
    for told, part in zip(head["blocks"], parts, strict=True):
        told[2] = len(part)
    file = tmp_path / "bomb.net"
    file.write_bytes(before + json.dumps(head).encode() + b"\n" + b"".join(parts))
    asked: list[int] = []
    unpack = zlib.decompressobj

    class Watched:
        def __init__(self) -> None:
            self.inner = unpack()

        def decompress(self, data: bytes, most: int = 0) -> bytes:
            asked.append(most)
            return self.inner.decompress(data, most)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

    monkeypatch.setattr(zlib, "decompressobj", Watched)
    with pytest.raises(BadInput, match="incomplete or damaged"):
        load_network(file)
    assert 0 < min(asked) <= max(asked) < 10_000


def test_what_is_no_file_is_no_network():
    board = "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0"
    assert "not a network file" in contienda("hint", "2048", board, "--player", "champion:network=/dev").complaint


# --- Books -----------------------------------------------------------------------------------------------------------

SIZE = Size(4, 4, 3)


@pytest.mark.parametrize(
    "change",
    [
        lambda head, body: (head[:-1] + b"15", body),  # every position there is, of which there are millions
        lambda head, body: (head, zlib.compress(bytes(1 << 24))),
        lambda head, body: (head, zlib.compress(bytes([100]) * len(zlib.decompress(body)))),  # scores that cannot be
        lambda head, body: (head, zlib.compress(zlib.decompress(body) + b"\0")),
        lambda head, body: (head, body + b"more"),
        lambda head, body: (head, body[:-3]),
    ],
)
def test_a_book_that_lies_is_refused(change, tmp_path):
    head, _, body = _examples("book")[0].partition(b"\n")
    file = tmp_path / "lying.book"
    file.write_bytes(b"\n".join(change(head, body)))
    with pytest.raises(BadInput, match=r"damaged or incomplete|not a book"):
        load_plies(file, SIZE)


# --- Results ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ("UPDATE results SET entrant = 99 WHERE seed = '1'", "it is damaged (results.entrant)"),
        ("UPDATE results SET entrant = -1 WHERE seed = '1'", "it is damaged (results.entrant)"),
        ("UPDATE results SET seed = 'one' WHERE seed = '1'", "it is damaged (results.seed)"),
        ("UPDATE results SET seed = CAST(x'00' AS TEXT) WHERE seed = '1'", "it is damaged (results.seed)"),
        ("UPDATE results SET seed = '99999999999999999999' WHERE seed = '1'", "it is damaged (results.seed)"),
        ("UPDATE results SET score = 'much'", "it is damaged (results.score)"),
        ("UPDATE results SET seconds = 9e999", "it is damaged (results.seconds)"),
        ("UPDATE results SET turns = x'010203'", "it is damaged (results.turns)"),
        ("UPDATE runs SET cores = 'two'", "it is damaged (runs.cores)"),
        ("DELETE FROM plan", "holds no plan yet"),
        ("UPDATE plan SET data = '{'", "its plan is damaged"),
        ("UPDATE plan SET data = '[]'", "its plan is damaged"),
        ("UPDATE plan SET data = json_set(data, '$.seed', 'one')", "its plan is damaged"),
        ("UPDATE plan SET data = json_set(data, '$.players', 7)", "its plan is damaged"),
    ],
)
def test_results_that_lie_are_refused(change, where, tmp_path):
    file: Path = tmp_path / "lying.db"
    file.write_bytes(_examples("result")[0])
    with sqlite3.connect(file) as database:
        database.execute(change)
    database.close()
    with pytest.raises(BadInput, match=re.escape(where)):
        Results(file)
    file.unlink()  # nobody holds on to it: another may stand there
    file.write_bytes(_examples("result")[0])
    results = Results(file)
    assert len(results.rows()) == 8
    results.close()
