"""The explorer of search trees, in Chromium: how soon a tree is seen, and how smoothly a large one is stepped through.

    python benchmarks/trace.py [--rounds 5] [--up 60]

A server of its own, on 127.0.0.1, in a folder that goes away. "First view" is from the question to the first frame in
which the tree stands. First that of questions that nobody has asked before, after the server has been up for a while
and has compiled the usual searches; then that of alpha-beta to depth 5 on a board of 2048 in the middle of a game,
again and again. "Longest frame" is that of 100 steps, one in each frame, forward and back, in a tree of Connect 4 of
some 20,000 nodes: folded as it is shown at first, all unfolded, and all of it in view. Idle frames, of a key that does
nothing, are measured in turn: on a busy machine they are long too.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

MIDDLE = "2 4 16 2/8 32 64 4/0 4 128 16/0 0 2 256"
QUICK = {"game": "2048", "position": MIDDLE, "player": "alphabeta:depth=5"}
FIRST = (
    QUICK,
    {"game": "2048", "position": MIDDLE, "player": "expectimax:depth=3"},
    {"game": "2048", "position": MIDDLE, "player": "minimax:depth=3"},
    {"game": "connect4", "position": "4453", "player": "alphabeta:depth=5"},
    {"game": "connect4", "position": "4453", "player": "minimax:depth=3"},
    {"game": "tree", "position": "max[min[3 1] min[2 7] 2]", "player": "alphabeta"},
)
LARGE = {"game": "connect4", "position": "", "player": "minimax:depth=5"}

#: Resolves with the milliseconds until a drawing of this player stands.
FIRST_VIEW = """async (query) => {
    const begun = performance.now();
    location.hash = '#/tree?' + query;
    const player = new URLSearchParams(query).get('player');
    const there = () => document.querySelector('.lane-head code')?.textContent === player
        && document.querySelector('.lanes').getAttribute('aria-busy') === 'false'
        && document.querySelector('.tree-drawing .node');
    while (!there()) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - begun;
}"""

#: How often the longest frame is measured, with steps and without, in turn.
ROUNDS = 5

#: A step in each frame; the longest time between two frames.
STEPS = """async ({ count, key }) => {
    let [longest, last] = [0, performance.now()];
    for (let i = 0; i < count; i += 1) {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        if (i > 1) longest = Math.max(longest, now - last);
        last = now;
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }
    return longest;
}"""


def serve(folder: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "contienda", "web", "--no-browser", "--port", "0", "--data", folder]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"http://\S+/", line):
            return server, found.group()
    raise SystemExit("the server did not start")


def first_views(page: Page, rounds: int) -> None:
    for asked in FIRST:
        print(
            f"{asked['game']}, {asked['player']}: {page.evaluate(FIRST_VIEW, urlencode(asked)):.0f} ms, the first time"
        )
    times = []
    for _ in range(rounds):
        page.evaluate(FIRST_VIEW, urlencode({"game": "tree", "position": "max[1 2]", "player": "minimax"}))
        times.append(page.evaluate(FIRST_VIEW, urlencode(QUICK)))
    print(f"2048, {QUICK['player']}: {statistics.median(times):.0f} ms, median of {rounds}")


def longest_frames(page: Page) -> None:
    print(f"{LARGE['player']}: first view {page.evaluate(FIRST_VIEW, urlencode(LARGE)):.0f} ms")
    print(" ".join(page.locator(".lane-head").inner_text().split()))
    for view, buttons in (("folded", []), ("unfolded", ["Unfold all"]), ("all in view", ["All of it"])):
        for button in buttons:
            page.get_by_role("button", name=button, exact=True).click()
        page.wait_for_timeout(500)
        shown = page.locator(".tree-drawing .node").count()
        frames: dict[str, list[float]] = {"stepping": [], "idle": []}
        for _ in range(ROUNDS):
            for key in ("ArrowRight", "ArrowLeft"):
                frames["stepping"].append(page.evaluate(STEPS, {"count": 100, "key": key}))
                frames["idle"].append(page.evaluate(STEPS, {"count": 100, "key": "F24"}))
        told = ", ".join(f"{name} {statistics.median(times):.0f}" for name, times in frames.items())
        print(f"  {view}: {shown} nodes in the document; longest frame of 100, median: {told} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--up", type=float, default=60, help="seconds that the server is up before it is asked")
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, url = serve(folder)
        try:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="en")
            page.set_default_timeout(120_000)
            page.goto(url)
            page.wait_for_selector("h1")
            page.wait_for_timeout(1000 * asked.up)
            first_views(page, asked.rounds)
            longest_frames(page)
            browser.close()
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
