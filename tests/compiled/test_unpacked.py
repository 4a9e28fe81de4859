"""Files unpacked once and mapped: whole, verified, made again when they do not fit."""

from __future__ import annotations

import os

import numpy as np
import pytest

from contienda.compiled import kept_files, unpacked
from contienda.compiled.unpacked import clear_unpacked, verify_unpacked


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    kept_files.kept_folder.cache_clear()
    yield tmp_path / "contienda" / "unpacked"
    kept_files.kept_folder.cache_clear()


CONTENT = np.arange(400_000, dtype=np.int64)  # more than three blocks, the last one not full
CONTENT[1000:200_000] = 0


@pytest.fixture
def unpack(tmp_path):
    """Unpack a source; how often that was done."""
    source = tmp_path / "source"
    source.write_bytes(b"packed")
    calls = []

    def run():
        def parts():
            calls.append(1)
            return [CONTENT[:7], CONTENT[7:]]

        found = unpacked.unpacked(source, "test", parts)
        return (None if found is None else found.view(np.int64)), len(calls)

    run.source = source
    return run


def test_what_was_unpacked_is_found_again(cache, unpack):
    for _ in range(2):
        found, calls = unpack()
        assert np.array_equal(found, CONTENT)
        assert calls == 1
    (file,) = cache.iterdir()
    assert file.stat().st_blocks * 512 < CONTENT.nbytes  # what is 0 takes no room


def test_a_page_that_a_process_writes_to_is_its_own(cache, unpack):
    found, _ = unpack()
    found[3] = 77
    assert np.array_equal(unpack()[0], CONTENT)


def test_a_changed_source_is_unpacked_again(cache, unpack):
    unpack()
    unpack.source.write_bytes(b"another")
    assert unpack()[1] == 2


@pytest.mark.parametrize("damage", ["cut", "flipped", "flipped sums", "empty", "flipped head"])
def test_a_file_that_does_not_fit_is_made_again(cache, unpack, damage):
    unpack()
    (file,) = cache.iterdir()
    content = bytearray(file.read_bytes())
    if damage == "cut":
        del content[-4096:]
    elif damage == "empty":
        content.clear()
    else:
        content[{"flipped": 2_000_000, "flipped sums": -3, "flipped head": 30}[damage]] ^= 4
    file.write_bytes(content)
    assert verify_unpacked(cache).damaged == 1
    found, calls = unpack()
    assert np.array_equal(found, CONTENT)
    assert calls == 2
    assert verify_unpacked(cache) == (1, file.stat().st_blocks * 512, 0)


def test_one_flipped_bit_among_many_blocks_is_found_wherever_it_is(cache, unpack, monkeypatch):
    monkeypatch.setattr(unpacked, "_BLOCK", 1 << 16)  # as a network of hundreds of blocks
    unpack()
    (file,) = cache.iterdir()
    about, whole = file.stat(), file.read_bytes()
    for calls, place in enumerate(range(5000, CONTENT.nbytes, CONTENT.nbytes // 12), start=2):
        with file.open("r+b") as content:
            content.seek(place)
            content.write(bytes([whole[place] ^ 1 << place % 8]))
        os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))  # a disk does not tell
        found, made = unpack()
        assert np.array_equal(found, CONTENT)
        assert made == calls
    assert file.read_bytes() == whole


def test_a_full_disk_is_no_error(cache, unpack, monkeypatch):
    def full(out, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(unpacked, "_write_all", full)
    assert unpack()[0] is None
    assert list(cache.iterdir()) == []


def test_the_least_recently_used_go_first(cache, unpack, monkeypatch):
    unpack()
    monkeypatch.setattr(unpacked, "LIMIT", 1)
    unpack.source.write_bytes(b"another")
    unpack()
    assert len(list(cache.iterdir())) == 1
    assert clear_unpacked(cache).files == 1
