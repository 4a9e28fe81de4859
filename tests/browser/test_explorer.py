"""The explorer of search trees: stepping, folding, comparing, guessing, exporting, by mouse, keys and screen reader."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from driver import App
from playwright.sync_api import Locator, Page, expect

CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")
DRAWN = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"
CHANCE = "max[chance[0.5:min[2 4] 0.5:min[7 4]] chance[0.5:min[6 0] 0.5:min[5 -2]]]"


class Explorer:
    """The explorer as a user sees it."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.page: Page = app.page

    def look(self, game: str, position: str, player: str, **more: str) -> None:
        query = urlencode({"game": game, "position": position, "player": player} | more)
        self.page.goto(f"{self.app.url}#/tree?{query}")
        expect(self.page.locator(".lanes[aria-busy=false] tree-drawing").first).to_be_visible()
        expect(self.page.locator(".lane-head code").first).to_have_text(player)
        expect(self.node(0).first).to_be_visible()

    def node(self, number: int) -> Locator:
        return self.page.locator(f"[data-node='{number}']")

    def label(self, number: int) -> str:
        return self.node(number).locator(".label").text_content() or ""

    @property
    def says(self) -> Locator:
        return self.page.locator("aside .says")

    def press(self, key: str, times: int = 1) -> None:
        self.app.press(*[key] * times)

    def expect_step(self, number: int, of: int) -> None:
        expect(self.page.get_by_text(f"step {number} of {of}", exact=True)).to_be_visible()


@pytest.fixture
def tree(app: App) -> Explorer:
    return Explorer(app)


def test_the_bare_address_opens_the_first_example(tree: Explorer) -> None:
    tree.page.goto(f"{tree.app.url}#/tree")
    tree.page.reload()  # the explorer is the first that is asked for, before the catalogue is there
    tree.expect_step(0, 21)


def test_the_tree_of_the_books_is_stepped_through(tree: Explorer) -> None:
    tree.app.page.get_by_role("link", name="Tree", exact=True).click()  # one click from anywhere
    expect(tree.node(0)).to_be_visible()
    tree.expect_step(0, 21)
    expect(tree.says).to_contain_text("Before the first step")
    leaves, skipped = tree.page.locator(".node.leaf .label"), tree.page.locator(".node.skipped")
    expect(leaves).to_have_text(["3", "12", "8", "2", "4", "6", "14", "5", "2"])  # those too that will be cut
    expect(skipped).to_have_count(0)
    tree.press("ArrowRight", 12)
    expect(tree.says).to_contain_text("α cut: with 1 MIN makes this 2 at most, and MAX already has 3")
    expect(tree.page.locator(".pseudo .lit")).to_have_text("if α ≥ β: return v ✂")
    expect(tree.page.locator(".variables dd")).to_have_text(["3", "2", "2"])
    expect(tree.page.locator(".windows li")).to_have_count(2)  # of the root and of the branch
    expect(tree.page.locator(".windows .shut .number")).to_have_text("3 … 2")
    expect(skipped).to_have_count(2)
    tree.press("ArrowLeft")
    expect(skipped).to_have_count(0)
    tree.page.get_by_role("tab", name="Steps").focus()
    tree.press("ArrowRight")  # it steps, wherever the focus is
    tree.press("ArrowRight")
    tree.expect_step(13, 21)
    tree.node(7).locator(".shape").hover()
    why = tree.page.locator(".node-card .reason")
    expect(why).to_contain_text("Skipped. α cut: with 1 MIN makes this 2 at most")
    expect(tree.page.locator(".pseudo .lit")).to_have_text("if α ≥ β: return v ✂")
    expect(tree.page.locator(".crumbs li")).to_have_text(["root", "2", "2"])
    tree.node(1).locator(".shape").hover()
    expect(tree.page.locator(".node-card .why")).to_have_text("MIN takes the smallest value below: 3, with branch 1.")
    expect(tree.page.locator(".pseudo .lit").first).to_have_text("v ← min(v, value(s·m, α, β))")
    tree.page.locator("tree-drawing").evaluate("drawing => drawing.panBy(0, -2000)")
    expect(tree.node(0)).to_have_count(0)
    tree.press("r")
    expect(tree.node(0)).to_be_visible()
    tree.app.button("Back to the root").click()
    tree.press("End")
    expect(skipped).to_have_count(2)
    expect(tree.page.locator(".lane-head")).to_contain_text("best 1, value 3")
    assert tree.label(0) == "3"
    expect(tree.page.locator(".node.best")).to_have_count(3)  # the root, its best branch, the leaf
    tree.page.get_by_role("slider", name="Place in the search").fill("4")
    tree.expect_step(4, 21)
    tree.page.get_by_label("Speed").select_option("40")
    tree.app.button("Play").click()
    tree.expect_step(21, 21)


def test_the_weighted_sum_of_chance_is_written_out(tree: Explorer) -> None:
    tree.look("tree", CHANCE, "expectiminimax")
    tree.press("End")
    chance = tree.page.locator(".node.chance")
    expect(chance).to_have_count(2)
    chance.first.hover()
    expect(tree.page.locator(".sum")).to_have_text("0.5 · 2 + 0.5 · 4 = 3")
    chance.nth(1).hover()
    expect(tree.page.locator(".sum")).to_have_text("0.5 · 0 + 0.5 · −2 = −1")


def test_a_position_of_a_game_folds_and_unfolds(tree: Explorer) -> None:
    tree.app.open_position("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", score=20)
    tree.page.locator("machine-panel").get_by_role("link", name="Tree").click()
    expect(tree.node(0).or_(tree.page.get_by_role("alert"))).to_be_visible()
    tree.look("2048", "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", "minimax:depth=2", score="20")
    drawn = tree.page.locator(".node")
    whole = drawn.count()
    tree.app.button("Fold all").click()
    expect(drawn.nth(5)).to_have_count(0)  # the root and its four moves
    expect(tree.node(1).locator(".fold")).to_have_text(re.compile(r"\+\d+"))
    tree.node(1).locator(".shape").click()
    expect(drawn.nth(6)).to_be_visible()
    tree.app.button("Unfold all").click()
    tree.app.button("All of it").click()
    assert drawn.count() >= whole
    expect(tree.page.locator(".node-card .little")).to_be_visible()


def test_two_fingers_zoom_and_one_moves(tree: Explorer) -> None:
    tree.look("tree", DRAWN, "alphabeta")
    drawing = tree.page.locator("tree-drawing")
    box = drawing.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers = tree.page.context.new_cdp_session(tree.page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x + dx, "y": y + dy, "id": i} for i, (dx, dy) in enumerate(places)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    before = drawing.evaluate("drawing => drawing.scale")
    picked = tree.page.locator(".node.picked").get_attribute("data-node")
    touch("touchStart", (-50, 0), (50, 0))
    touch("touchMove", (-75, 0), (75, 0))
    touch("touchMove", (-100, 0), (100, 0))
    touch("touchEnd")
    assert drawing.evaluate("drawing => drawing.scale") == pytest.approx(2 * before, rel=0.01)
    assert tree.page.locator(".node.picked").get_attribute("data-node") == picked, "a pinch is no click"
    root = tree.node(0).bounding_box()
    touch("touchStart", (0, 150))
    touch("touchMove", (30, 160))
    touch("touchMove", (40, 190))
    touch("touchEnd")
    moved = tree.node(0).bounding_box()
    assert root is not None
    assert moved is not None
    assert (moved["x"] - root["x"], moved["y"] - root["y"]) == (pytest.approx(40, abs=1), pytest.approx(40, abs=1))


def test_two_searches_go_side_by_side(tree: Explorer) -> None:
    tree.look("tree", DRAWN, "minimax", other="alphabeta")
    heads = tree.page.locator(".lane-head")
    expect(heads).to_have_count(2)
    tree.press("ArrowRight", 14)
    expect(tree.page.locator(".step-bar .waits")).to_have_text("waits: it does not search there")
    expect(tree.page.locator(".code-card h2")).to_have_text(["minimax", "alphabeta"])
    expect(tree.page.locator(".node.skipped")).to_have_count(2)  # alpha-beta has said why before it waits
    tree.press("End")
    expect(heads.nth(0)).to_contain_text("13 / 13 nodes")
    expect(heads.nth(1)).to_contain_text("11 / 11 nodes")
    expect(heads.nth(1)).to_contain_text("2 nodes saved")
    tree.look("tree", CHANCE, "expectiminimax")
    tree.app.choose("Side by side")  # with a search that takes chance too
    expect(heads.nth(1).locator("code")).to_have_text("mcts:sims=50")
    tree.press("ArrowRight", 6)
    expect(tree.page.locator(".saved")).to_have_count(0)  # of different kinds, nothing is comparable


def test_a_guess_is_marked_and_checked(tree: Explorer) -> None:
    tree.look("tree", DRAWN, "alphabeta")
    tree.press("End")
    tree.app.choose("What would you do?")
    expect(tree.node(0).locator(".label")).to_have_text("")  # it would tell
    tree.page.get_by_label("What is the root worth?").fill("3,0")
    tree.node(7).locator(".shape").click()  # the 4 of the second branch: cut
    tree.node(10).locator(".shape").click()  # the 14 of the third: not
    expect(tree.page.get_by_text("2 branches marked")).to_be_visible()
    tree.app.button("Check").click()
    expect(tree.page.get_by_text("Right: the root is worth 3.")).to_be_visible()
    verdict = "Of the branches you marked, 1 are cut and 1 are not; 1 of 2 cut ones are missing."
    expect(tree.page.get_by_text(verdict)).to_be_visible()
    assert tree.label(0) == "3"


def test_the_view_and_the_steps_are_exported(tree: Explorer) -> None:
    tree.look("tree", DRAWN, "alphabeta")
    tree.press("End")
    files = {}
    for kind in ("Drawing (SVG)", "Picture (PNG)", "Steps (text)"):
        tree.page.locator("summary", has_text="Export").click()
        with tree.page.expect_download() as download:
            tree.app.button(kind).click()
        files[download.value.suggested_filename] = download.value.path().read_bytes()
    assert set(files) == {"tree.svg", "tree.png", "steps.txt"}
    assert files["tree.png"].startswith(b"\x89PNG")
    assert len(files["tree.png"]) > 10_000  # not an empty sheet
    drawing = files["tree.svg"].decode()
    assert "light-dark(" not in drawing.split("<rect")[0].split("}")[0]  # its colours are settled
    assert drawing.count('class="label') == 13
    steps = files["steps.txt"].decode().splitlines()
    assert steps[-1] == "21. Back from branch 3 with 2; MAX has 3 so far, window [3, +∞]"


def test_a_tree_with_a_mistake_and_one_too_large_are_refused_in_one_line(tree: Explorer) -> None:
    tree.look("tree", DRAWN, "alphabeta")
    tree.page.get_by_role("tab", name="What and who").click()
    tree.page.get_by_label("The tree, as text").fill("max[3 min[2 4]")
    tree.app.button("Search and look").click()
    expect(tree.page.get_by_role("alert")).to_contain_text("] is missing")
    tree.page.get_by_label("The tree, as text").fill("max[3 min[2 4]]")
    tree.app.button("Search and look").click()
    expect(tree.page.locator(".node")).to_have_count(5)
    expect(tree.says).to_contain_text("Before the first step")  # the steps are there at once
    query = urlencode({"game": "connect4", "position": "", "player": "minimax:depth=9"})
    tree.page.goto(f"{tree.app.url}#/tree?{query}")
    expect(tree.page.get_by_role("alert")).to_contain_text("this trace would have")
    tree.page.get_by_role("button", name=re.compile("^Look with depth=")).click()
    expect(tree.node(0)).to_be_visible()


def test_the_tree_is_read_as_a_list_with_the_keys(tree: Explorer) -> None:
    tree.look("tree", DRAWN, "alphabeta")
    tree.press("End")
    tree.page.get_by_role("tab", name="List").click()
    items = tree.page.get_by_role("tree").get_by_role("treeitem")
    expect(items).to_have_count(4)
    items.first.focus()
    tree.press("ArrowDown", 2)
    expect(items.nth(2)).to_be_focused()
    tree.press("Enter")
    expect(items).to_have_count(7)
    expect(items.nth(2)).to_contain_text("α cut: with 1 MIN makes this 2 at most")
    tree.press("ArrowDown")
    expect(items.nth(3)).to_be_focused()
    tree.press("ArrowLeft")  # the search, not the list
    tree.expect_step(20, 21)
    expect(items.nth(3)).to_be_focused()
    tree.press("Backspace")
    tree.press("Enter")
    expect(items).to_have_count(4)


def test_a_path_search_shows_its_frontier(tree: Explorer) -> None:
    tree.look("puzzle8", "1 2 3/5 0 6/4 7 8", "astar:h=manhattan")
    tree.press("ArrowRight", 9)
    expect(tree.page.locator(".frontier").first.locator("li span")).to_have_text(
        ["1 + 5 = 6", "1 + 5 = 6", "1 + 5 = 6", "2 + 4 = 6"]
    )
    tree.press("End")
    expect(tree.page.get_by_role("heading", name="Open, best first (5)")).to_be_visible()
    expect(tree.page.locator(".node.goal")).to_have_count(1)
    tree.look("puzzle8", "1 2 3/5 0 6/4 7 8", "ida-star:h=manhattan")
    expect(tree.page.locator(".node.later.state")).to_have_count(9)  # all but the root, those too that it will leave
    tree.press("ArrowRight", 9)
    lists = tree.page.locator(".frontier")
    expect(lists.nth(0).locator("li span")).to_have_text(["3 + 1 = 4", "2 + 2 = 4", "1 + 3 = 4", "0 + 4 = 4"])  # stack
    expect(lists.nth(1).locator("li span").first).to_have_text("1 + 5 = 6")
    expect(tree.page.locator(".node.cut .note").first).to_have_text("1 + 5")


def test_simulations_show_their_numbers_their_playouts_and_their_shares(tree: Explorer) -> None:
    tree.look("tictactoe", "X.O/.X./..O", "mcts:sims=30")
    phases = {"expansion": "expand", "playout": "simulate", "backpropagation": "backpropagate", "selection": "select"}
    for words, phase in phases.items():
        while words not in (tree.says.text_content() or ""):
            tree.press("ArrowRight")
        expect(tree.page.locator(f".branch.way.{phase}").first).to_be_attached()  # the path is lit
        if phase == "simulate":
            expect(tree.page.locator("tree-playout .little")).to_be_visible()
    expect(tree.page.locator(".formulas li").first).to_have_text(re.compile(r"√\(ln [\d.]+ / \d+\) = "))
    expect(tree.page.locator(".figures thead")).to_have_text("movevisits nsum wmean qUCB")
    slider = tree.page.get_by_role("slider", name="Simulation")
    slider.fill("12")
    expect(tree.page.locator("tree-growth .help")).to_have_text("simulation 12 of 30")
    shares = [int(text.split(" · ")[0]) for text in tree.page.locator(".shares .number").all_inner_texts()]
    assert sum(shares) == 12
    tree.press("End")
    tree.node(0).locator(".shape").hover()
    expect(tree.page.locator(".formulas li")).to_have_count(5)  # of each child, at the end too


@pytest.mark.browser_context_args(viewport={"width": 360, "height": 740})
def test_on_a_phone_by_day_and_by_night_nothing_is_out_of_reach(tree: Explorer) -> None:
    tree.look("tree", CHANCE, "expectiminimax")
    tree.press("End")
    for scheme in ("light", "dark"):
        tree.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for tab in ("Steps", "List", "What and who"):
            tree.page.get_by_role("tab", name=tab).click()
            assert tree.page.evaluate(CHECK) == []
            assert tree.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_in_spanish(tree: Explorer) -> None:
    tree.look("tree", DRAWN, "alphabeta")
    tree.press("ArrowRight", 12)
    tree.app.button("Español").click()
    expect(tree.says).to_contain_text("poda α: con 1 MIN deja esto en 2 como mucho")
    expect(tree.page.locator(".pseudo .lit")).to_contain_text("devuelve v")
