"""The user's helper: proposals, quizzes, play, paths, and batches of games."""

from __future__ import annotations

import re

from driver import App
from playwright.sync_api import expect

#: Left makes 2048 and keeps everything in order.
NEARLY_WON = "1024 1024 512 256/0 0 0 0/0 0 0 0/0 0 2 2"


def test_it_proposes_and_plays_what_it_proposes(app: App) -> None:
    app.open_position("8 4 2 0/4 2 0 0/2 0 0 0/0 0 0 2")
    app.press("h")
    bars = app.page.get_by_role("list", name="Value of each move")
    expect(bars.get_by_role("listitem")).to_have_count(4)
    best = app.page.locator(".way.best").get_attribute("data-move")
    expect(app.page.locator(".way")).to_have_count(4)
    expect(app.heard).to_contain_text(f"The machine proposes {best}.")
    expect(bars.get_by_role("listitem").first).to_contain_text(re.compile(f"{best}.*best", re.I | re.S))
    expect(app.page.locator(".way.best span")).to_have_text("0")  # on the board: what a move loses
    expect(app.page.locator(".way span").last).to_have_text(re.compile("^−"))
    app.page.get_by_text("What do the numbers mean?").click()
    expect(app.page.locator(".meaning")).to_contain_text(
        re.compile(r"These are points of nneonneo .*less than the best move")
    )
    why = app.page.locator("machine-panel .why-not")
    why.get_by_role("button").filter(has_not_text=re.compile(f"^{best}$", re.I)).first.click()
    expect(why.locator(".refutation li").nth(2)).to_contain_text("Then luck decides")
    expect(why.locator(".refutation .little")).to_have_count(1)  # the board after the move
    app.button(f"Play {best}").click()
    app.expect_moves(1)
    expect(app.page.locator(".way")).to_have_count(0)  # they were for the board before
    app.page.goto(app.page.url.replace("/play/", "/replay/"))
    why = app.page.locator("replay-screen .why-not")
    expect(why).to_be_visible()
    app.press("ArrowRight")
    expect(why.get_by_role("heading")).to_have_text(re.compile(f"^{best} was played. Why not", re.I))
    why.get_by_role("button", name="Right").click()  # up and left mirror each other here, and are better
    expect(why.locator(".refutation li").first).to_contain_text(f"less than {best}", ignore_case=True)
    why.locator("button.made").click()  # the move that was made is asked about at its own position
    expect(why.locator(".refutation li").first).to_contain_text(f"{best} is the best move", ignore_case=True)


def test_hints_stay_on(app: App) -> None:
    app.start_2048()
    app.page.get_by_label("Always show hints").check()
    for number in range(3):
        app.expect_moves(number)
        expect(app.page.locator(".way.best")).to_be_visible()
        app.press("j")  # plays what is proposed
    app.expect_moves(3)


def test_a_document_s_player_is_one_choice(app: App) -> None:
    """uc3m's whole configuration, 2s only and its order of moves, is chosen and not typed; its times can be kept."""
    app.start_2048()
    app.page.get_by_label("As in a document").first.select_option("uc3m: minimax, empty cells")
    app.page.get_by_text("As text", exact=False).first.click()
    spec = app.page.locator("player-picker input.mono").first
    expect(spec).to_have_value("minimax:depth=5,eval=uc3m-empty,opponent=twos,ties=down-right-up-left")
    app.button("Step").click()
    app.expect_moves(1)
    with app.page.expect_download() as download:
        app.tab("Saved").get_by_role("link", name="Times").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in lines] == ["turn", "total_ms", "moves", "mean_ms", "score", "won?"]


def test_the_goal_ends_the_tree(app: App) -> None:
    """A board that has reached the target is a leaf of the search that proposes, and of the tree that is shown."""
    app.open_position("1024 1024 8 4/16 8 4 2/8 4 2 0/2 0 0 0", score=18000)
    panel = app.page.get_by_role("tabpanel")
    panel.get_by_text("As text", exact=False).first.click()
    panel.locator("player-picker input.mono").first.fill("minimax:depth=2,eval=uma1")
    panel.locator("player-picker input.mono").first.press("Enter")
    app.button("Propose").click()
    first = app.page.get_by_role("list", name="Value of each move").get_by_role("listitem").first
    expect(first).to_contain_text("32,268.23")
    expect(panel.get_by_text("12 nodes")).to_be_visible()
    panel.get_by_role("link", name="Tree").click()
    # Left and right make 2048 and have no replies; down has two for each of its four empty cells.
    nodes = app.page.locator("[data-node]")
    expect(nodes).to_have_count(12)
    expect(nodes.filter(has_text=re.compile("^(left|right) · leaf"))).to_have_count(2)


def test_a_quiz_shows_the_move_after_ones_own(app: App) -> None:
    app.open_position(NEARLY_WON)
    app.page.get_by_label("Quiz").check()
    expect(app.page.get_by_text("Move first")).to_be_visible()
    app.press("ArrowDown")
    expect(app.page.locator(".verdict")).to_be_visible()
    expect(app.page.locator(".verdict")).to_contain_text(re.compile(r"You played down; the machine plays \w+\."))
    expect(app.page.get_by_text("0 of 1 the same")).to_be_visible()
    expect(app.page.locator(".way")).to_have_count(0)


def test_it_solves_pauses_steps_and_gives_the_board_back(app: App) -> None:
    app.start_2048(by="The machine plays")
    expect(app.button("Pause")).to_be_visible()
    app.expect_more_moves_than(2)
    app.press(" ")
    expect(app.button("Solve")).to_be_visible()
    paused = app.figure("moves")
    expect(app.page.get_by_role("img", name=re.compile("Time per move"))).to_be_visible()
    expect(app.page.get_by_text("Nodes per move", exact=True)).to_be_visible()
    app.button("Step").click()
    app.expect_moves(paused + 1)
    app.make_moves(1)
    app.button("Solve").click()
    app.expect_more_moves_than(paused + 3)
    app.button("Stop").click()
    expect(app.button("Solve")).to_be_visible()


def test_the_choice_of_a_machine_and_what_it_means(app: App) -> None:
    app.start_2048()
    panel = app.page.get_by_role("tabpanel")
    panel.get_by_role("combobox", name="Algorithm").select_option("minimax")
    expect(panel.get_by_text("The best move against a perfect opponent.")).to_be_visible()
    panel.get_by_role("radio", name="3", exact=True).check()
    expect(panel.get_by_text("3 levels: your move, luck, your move…")).to_be_visible()
    panel.get_by_role("combobox", name="Evaluator").select_option("combined")
    panel.get_by_text("Weights", exact=True).click()
    panel.get_by_role("spinbutton", name="empty").fill("300")
    app.press("Tab")
    expect(panel.locator("code").first).to_have_text("minimax:depth=3,eval=combined,empty=300")
    app.button("Propose").click()
    expect(app.page.get_by_role("list", name="Value of each move")).to_be_visible()
    app.page.reload()  # the choice is remembered
    expect(panel.locator("code").first).to_have_text("minimax:depth=3,eval=combined,empty=300")


def test_a_machine_that_does_not_exist_is_refused_in_words(app: App) -> None:
    app.start_2048()
    app.page.get_by_role("tabpanel").get_by_text("As text").click()
    field = app.page.get_by_role("textbox", name="As text")
    field.fill("minimax:depth=nine")
    field.press("Tab")
    app.button("Propose").click()
    expect(app.page.get_by_role("alert")).to_contain_text("depth")


def test_a_batch_while_one_plays(app: App) -> None:
    app.start_2048()
    panel = app.tab("Batch")
    panel.get_by_role("combobox", name="Algorithm").select_option("random")
    panel.get_by_label("Games").fill("60")
    panel.get_by_role("button", name="Run the batch").click()
    app.make_moves(4)
    expect(panel.get_by_text("60 / 60")).to_be_visible()
    expect(panel.get_by_text("(0 %)")).to_be_visible()  # random play wins no game
    ended = panel.get_by_role("table", name="Games as they ended").locator("tbody tr")
    expect(ended).to_have_count(60)
    expect(ended.first).to_have_text(re.compile(r"^60Lost[\d,]+\d+ ?[\d.]+ (µs|ms|s)$"))
    for name in ("Mean time per game", "Mean time per move"):  # random moves take less than a microsecond each
        expect(panel.locator("dl div", has_text=name)).to_have_text(re.compile(rf"^{name}[\d.]*[1-9][\d.]* (µs|ms|s)$"))
    expect(panel.get_by_role("list", name="Largest tile").get_by_role("listitem")).not_to_have_count(0)


def test_a_batch_is_cancelled(app: App) -> None:
    app.start_2048()
    panel = app.tab("Batch")  # expectimax: its games take minutes
    panel.get_by_label("Games").fill("10000")
    panel.get_by_role("button", name="Run the batch").click()
    expect(panel.get_by_text(re.compile(r"^[\d,]+ / 10,000$"))).to_be_visible()
    panel.get_by_role("button", name="Cancel").click()
    expect(panel.get_by_role("button", name="Run the batch")).to_be_visible()


def test_a_path_to_8192_is_found_and_watched(app: App) -> None:
    """As unicen's: thousands of steps, which one slides through, jumps in and watches at any speed."""
    app.start_2048()
    panel = app.tab("Path")
    assert panel.get_by_label("Target").locator("option").all_inner_texts() == [str(2**rank) for rank in range(9, 17)]
    panel.get_by_role("combobox", name="Algorithm").select_option("branch-and-bound")
    expect(panel.get_by_text("it reaches 64 from a fresh board of 2048; with sum, 8192")).to_be_visible()
    panel.get_by_label("Target").select_option("8192")
    panel.get_by_label("New tiles").select_option(label="Only 2s (as unicen's seem to be)")
    panel.get_by_role("button", name="Find a path").click()
    found = panel.get_by_text("Found:")
    expect(found).to_be_visible()
    steps = int("".join(filter(str.isdigit, found.inner_text())))
    assert steps > 4096
    panel.get_by_role("link", name="Replay the solution").click()
    place = app.page.get_by_label("Place in the game")
    app.page.get_by_label("Go to move").fill(str(steps - 300))
    app.press("Enter")
    expect(place).to_have_value(str(steps - 300))
    app.page.get_by_label("Speed").select_option("400")
    app.page.get_by_role("button", name="Run", exact=True).click()
    expect(place).to_have_value(str(steps))
    expect(app.page.locator("[data-figure=largest]")).to_have_text("8192")
