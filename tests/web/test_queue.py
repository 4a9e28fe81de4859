"""The queue of searches: each browser in its turn, none without end, and cancelled ones gone."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import pytest
from website import searching, wait_until

from contienda.core.analysis import new_tally
from contienda.core.language import BadInput
from contienda.web.access.identity import Browser
from contienda.web.errors import TooMany
from contienda.web.work.queue import FairQueue, MemoryLimit, Most
from contienda.web.work.turns import Turns


def in_queue(scenario, workers=1, each=1, most=8, **named):
    """Run a scenario with a queue; it does not outlive it."""

    async def run():
        queue = FairQueue(workers, each, most, "test", **named)
        try:
            return await asyncio.wait_for(scenario(queue), 60)
        finally:
            queue.close()

    return asyncio.run(run())


class Gate:
    """Work that waits, and notes who came through."""

    def __init__(self):
        self.open = threading.Event()
        self.begun = []

    def work(self, name):
        def pass_through(stop):
            self.begun.append(name)
            while not self.open.wait(0.005):
                if stop.stopped:
                    raise BadInput("stopped", es="parado")
            return name

        return pass_through


def test_work_in_parts_keeps_its_place_between_them():
    """Or somebody else of the same browser takes it, and the work is refused half-way."""

    async def scenario(queue):
        with queue.place("one") as place:
            first = await place.run(lambda stop: 1)
            with pytest.raises(TooMany, match="1 of your searches"):
                await queue.run("one", lambda stop: 0)
            second = await place.run(lambda stop: 2)
        return first, second, await queue.run("one", lambda stop: 3), queue.places

    assert in_queue(scenario, most=1) == (1, 2, 3, 0)


def test_browsers_take_turns_whoever_came_first():
    gate = Gate()

    async def scenario(queue):
        greedy = [asyncio.ensure_future(queue.run("greedy", gate.work(f"g{i}"))) for i in range(6)]
        await asyncio.sleep(0)
        others = [asyncio.ensure_future(queue.run(name, gate.work(name))) for name in ("a", "b")]
        await asyncio.sleep(0)
        gate.open.set()
        return await asyncio.gather(*greedy, *others)

    assert in_queue(scenario) == ["g0", "g1", "g2", "g3", "g4", "g5", "a", "b"]
    assert gate.begun == ["g0", "g1", "a", "b", "g2", "g3", "g4", "g5"], "after its own turn, each comes before g2"


def test_one_browser_never_takes_every_worker():
    gate = Gate()

    async def scenario(queue):
        long = [asyncio.ensure_future(queue.run("heavy", gate.work(i))) for i in range(4)]
        await asyncio.to_thread(wait_until, lambda: len(gate.begun) == 2)
        # All of the heavy ones are waiting at the gate, or for it: somebody else's turn comes all the same.
        assert await queue.run("light", lambda stop: "done") == "done"
        assert sorted(gate.begun) == [0, 1]
        gate.open.set()
        return await asyncio.gather(*long)

    assert in_queue(scenario, workers=3, each=2) == [0, 1, 2, 3]


def test_so_many_of_one_browser_and_no_more():
    gate = Gate()

    async def scenario(queue):
        two = [asyncio.ensure_future(queue.run("c", gate.work(i))) for i in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="2 of your searches are already running"):
            await queue.run("c", gate.work("third"))
        gate.open.set()
        await asyncio.gather(*two)
        return await queue.run("c", lambda stop: "again")

    assert in_queue(scenario, most=2) == "again"


def test_cancelling_what_waits_and_what_runs():
    gate = Gate()

    async def scenario(queue):
        running = asyncio.ensure_future(queue.run("c", gate.work("running")))
        waiting = asyncio.ensure_future(queue.run("c", gate.work("waiting")))
        await asyncio.to_thread(wait_until, lambda: gate.begun == ["running"])
        waiting.cancel()
        running.cancel()
        # The gate is still shut: only because both were cancelled is there a worker for this.
        assert await queue.run("d", lambda stop: "next") == "next"
        for cancelled in (running, waiting):
            with pytest.raises(asyncio.CancelledError):
                await cancelled
        assert await queue.run("c", lambda stop: "free") == "free"

    in_queue(scenario)
    assert gate.begun == ["running"]
    wait_until(lambda: not searching())


def test_work_that_does_not_hear_is_left_behind(monkeypatch):
    """Cancelled, or over its time: its worker serves others, though the thread goes on."""
    monkeypatch.setattr("contienda.compiled.stopping.GRACE", 0.1)
    deaf = threading.Event()

    async def scenario(queue):
        cancelled = asyncio.ensure_future(queue.run("c", lambda stop: deaf.wait(60)))
        await asyncio.to_thread(wait_until, lambda: searching() == 1)
        cancelled.cancel()
        assert await queue.run("d", lambda stop: "next") == "next"
        with pytest.raises(BadInput, match="no answer"):
            await queue.run("c", lambda stop: deaf.wait(60), 0.1)
        return await queue.run("c", lambda stop: "last")

    try:
        assert in_queue(scenario) == "last"
    finally:
        deaf.set()
    wait_until(lambda: not searching())


def test_errors_come_to_whoever_asked():
    def fail(stop):
        raise ZeroDivisionError("by nothing")

    async def scenario(queue):
        with pytest.raises(ZeroDivisionError, match="by nothing"):
            await queue.run("c", fail)
        return await queue.run("c", lambda stop: "well")

    assert in_queue(scenario) == "well"


def test_work_is_told_when_its_time_is_over():
    gate = Gate()

    async def scenario(queue):
        with pytest.raises(BadInput, match="stopped"):
            await queue.run("c", gate.work("long"), 0.05)

    in_queue(scenario)


def test_work_that_lasts_steps_back_for_the_rest():
    """Where the system has priorities for threads: what answers a move goes before somebody's deep search."""
    priorities = []

    def priority():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) if sys.platform == "linux" else 0

    def long(stop):
        priorities.append(priority())
        with stop.guard(new_tally(), 1):
            wait_until(lambda: priority() > priorities[0] or sys.platform != "linux")
        return "done"

    async def scenario(queue):
        assert await queue.run("c", long) == "done"
        return await queue.run("c", lambda stop: priority())

    assert in_queue(scenario) == priorities[0] == priority(), "the next one, and this thread, are as before"


# --- Addresses, memory, and what lasts --------------------------------------------------------------------------------


def somebody(name, address):
    return Browser(name, address)


def test_addresses_take_turns_and_behind_each_its_browsers():
    gate = Gate()

    async def scenario(queue):
        waiting = [queue.run(somebody(f"a{i}", "A"), gate.work(f"a{i}")) for i in range(4)]
        waiting += [queue.run(somebody("b", "B"), gate.work(f"b.{i}")) for i in range(2)]
        tasks = [asyncio.ensure_future(each) for each in waiting]
        await asyncio.sleep(0)
        gate.open.set()
        await asyncio.gather(*tasks)

    in_queue(scenario)
    assert gate.begun == ["a0", "a1", "b.0", "a2", "b.1", "a3"], "however many browsers an address has"


def test_names_that_were_just_asked_for_share_a_turn():
    gate = Gate()

    async def scenario(queue):
        new = [Browser(f"n{i}", "A", known=False) for i in range(5)]
        tasks = [asyncio.ensure_future(queue.run(each, gate.work(str(each)))) for each in new]
        await asyncio.sleep(0)
        tasks.append(asyncio.ensure_future(queue.run(somebody("known", "A"), gate.work("known"))))
        await asyncio.sleep(0)
        gate.open.set()
        await asyncio.gather(*tasks)

    in_queue(scenario)
    assert gate.begun.index("known") <= 2


def test_a_crowded_address_leaves_everybody_one_search():
    gate = Gate()

    async def scenario(queue):
        crowd = [asyncio.ensure_future(queue.run(somebody(f"c{i}", "A"), gate.work(i))) for i in range(6)]
        await asyncio.sleep(0)
        more = asyncio.ensure_future(queue.run(somebody("late", "A"), gate.work("late")))
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="the server is busy"):
            await queue.run(somebody("late", "A"), gate.work("second"))
        gate.open.set()
        await asyncio.gather(*crowd, more)

    in_queue(scenario, most=Most(8, 4, 5))
    assert "late" in gate.begun


def test_memory_is_reserved_and_given_back():
    gate = Gate()

    async def scenario(queue):
        large = asyncio.ensure_future(queue.run("a", gate.work("large"), megabytes=60))
        await asyncio.to_thread(wait_until, lambda: gate.begun == ["large"])
        second = asyncio.ensure_future(queue.run("b", gate.work("second"), megabytes=60))
        assert await queue.run("c", lambda stop: "small", megabytes=30) == "small", "what fits does not wait"
        assert gate.begun == ["large"]
        with pytest.raises(TooMany, match="this needs 101 MB"):
            await queue.run("c", gate.work("never"), megabytes=101)
        large.cancel()
        await asyncio.to_thread(wait_until, lambda: gate.begun == ["large", "second"])
        gate.open.set()
        return await second

    assert in_queue(scenario, workers=4, each=2, memory=MemoryLimit(100)) == "second"


def searching_long(begun, name, finish):
    """A search that lasts: it uses the processor until it is stopped, or may finish."""

    def work(stop):
        begun.append(name)
        with stop.guard(new_tally(), 1):
            while not finish.is_set():
                if stop.stopped:
                    raise BadInput("stopped", es="parado")
        return name

    return work


def test_short_work_never_waits_for_long_work_however_much_there_is():
    begun, finish = [], threading.Event()

    async def scenario(queue):
        long = [
            asyncio.ensure_future(queue.run(somebody(f"l{i}", "A"), searching_long(begun, i, finish))) for i in range(8)
        ]
        await asyncio.to_thread(wait_until, lambda: len(set(begun)) == 8)  # each has had its taste
        for i in range(20):
            assert await queue.run(somebody(f"s{i}", "A"), lambda stop: "short") == "short"
        finish.set()
        return await asyncio.gather(*long)

    assert in_queue(scenario, workers=2, each=1, lasting=1) == list(range(8)), "those put off are begun again, and end"
    assert len(begun) > 8


def test_what_was_put_off_can_be_cancelled():
    begun, finish = [], threading.Event()

    async def scenario(queue):
        long = [
            asyncio.ensure_future(queue.run(somebody(f"l{i}", "A"), searching_long(begun, i, finish))) for i in range(3)
        ]
        await asyncio.to_thread(wait_until, lambda: len(set(begun)) == 3)
        for each in long:
            each.cancel()
        results = await asyncio.gather(*long, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in results)
        assert await queue.run("d", lambda stop: "next") == "next"

    in_queue(scenario, workers=1, each=1, lasting=1)
    wait_until(lambda: not searching())


def test_whoever_asks_for_much_at_once_delays_nobody():
    """Of all requests that wait, those of others come in the first round, whatever the same address has sent before."""
    begun = []

    async def ask(turns, browser, name):
        await turns.mine(browser)
        begun.append(name)

    async def scenario():
        turns = Turns()
        asked = [ask(turns, Browser(f"new {i}", "school", known=False), "flood") for i in range(50)]
        asked += [ask(turns, Browser("greedy", "school"), "greedy") for _ in range(50)]
        asked += [ask(turns, Browser("pupil", "school"), "pupil"), ask(turns, Browser("other", "home"), "other")]
        await asyncio.gather(*asked)

    asyncio.run(scenario())
    assert len(begun) == 102
    assert {"pupil", "other"} <= set(begun[:8])


def test_quiet_browsers_go_first_and_the_others_are_not_forgotten():
    begun = []

    async def ask(turns, name, quiet):
        await turns.mine(name, quiet=quiet)
        begun.append(name)

    async def scenario():
        turns = Turns(4)
        asked = [ask(turns, f"attacker {i}", quiet=False) for i in range(60)]
        asked += [ask(turns, f"pupil {i}", quiet=True) for i in range(20)]
        await asyncio.gather(*asked)

    asyncio.run(scenario())
    pupils = [name.startswith("pupil") for name in begun]
    assert sum(pupils[:28]) == 20, "four of them to one of the others, after the first four, who met nobody"
    assert len(begun) == 80


def test_while_the_event_loop_is_busy_a_flood_gets_one_start_in_a_round():
    begun = []

    async def ask(turns, name):
        await turns.mine(name)
        begun.append(name)

    async def scenario():
        loop, now = asyncio.get_running_loop(), 0.0
        turns = Turns(4)
        asked = [asyncio.ensure_future(ask(turns, f"attacker {i}")) for i in range(60)]
        for _ in range(20):
            await asyncio.sleep(0)
            now += 0.1
            loop.time = lambda now=now: now  # every round takes a tenth of a second
        del loop.time
        assert len(begun) <= 25
        await asyncio.gather(*asked)

    asyncio.run(scenario())
    assert len(begun) == 60


def test_at_a_steady_pace_whoever_comes_in_between():
    """With a pause between rounds, nobody starts before it is over, however few wait."""
    begun = []

    async def ask(turns, name):
        await turns.mine(name)
        begun.append(name)

    async def scenario():
        turns = Turns(1, pause=3600)
        first = asyncio.ensure_future(ask(turns, "a"))
        await first
        second = asyncio.ensure_future(ask(turns, "b"))
        for _ in range(100):
            await asyncio.sleep(0)
        assert begun == ["a"]
        second.cancel()

    asyncio.run(scenario())


def test_those_who_wait_are_told_their_place(monkeypatch):
    """30 browsers ask one worker: each hears its place, which goes down to 0; the one that need not wait hears none."""
    monkeypatch.setattr("contienda.web.work.queue._TELLING", 0.01)
    gate = Gate()

    async def scenario(queue):
        told = {name: [] for name in range(30)}
        work = [
            asyncio.ensure_future(queue.run(Browser(f"{name}", "here"), gate.work(name), tell=told[name].append))
            for name in told
        ]
        while not all(told[name] for name in range(1, 30)):
            await asyncio.sleep(0.01)
        assert told[0] == []
        assert [told[name][0] for name in range(1, 30)] == list(range(1, 30))
        work[5].cancel()
        while told[6][-1] != 5:  # one less before it
            await asyncio.sleep(0.01)
        gate.open.set()
        await asyncio.gather(*work, return_exceptions=True)
        assert all(told[name][-1] == 0 and sorted(told[name], reverse=True) == told[name] for name in range(6, 30))

    in_queue(scenario)
