// The tree as a nested list, as text for screen readers too: the same facts, opened branch by branch.

import { t } from "../i18n.js";
import { state } from "../store.js";
import { momentOf, pickNode } from "../tree/explorer.js";
import { define, h, View } from "../view.js";

class TreeList extends View {
  static uses = ["tree"];

  open = new Set([0]);

  render({ tree }) {
    const { trace } = tree.lanes[tree.lane];
    if (this.of !== trace) {
      this.of = trace;
      this.open = new Set([0]);
    }
    const moment = momentOf(tree, tree.lane);
    return h(
      "div",
      { class: "card" },
      h("p", { class: "help" }, t("tree.list.help")),
      h(
        "ul",
        { class: "tree-list", role: "tree", "aria-label": t("tree.tab.list"), onkeydown: (event) => this.key(event) },
        this.item(trace, 0, moment, tree.picked, 1),
      ),
    );
  }

  item(trace, id, moment, picked, level) {
    const below = trace.children[id];
    const open = this.open.has(id);
    const known = trace.nodes[id].born <= moment;
    const told = trace.facts(id, moment).map(([name, value]) => `${name} ${value}`);
    const reason = trace.reason(id, moment);
    if (reason) told.push(reason);
    const visible = this.visible(trace, picked);
    return h(
      "li",
      {
        key: id,
        id: `item-${id}`,
        role: "treeitem",
        "aria-level": level,
        "aria-expanded": below.length ? String(open) : null,
        "aria-selected": String(id === visible),
        tabindex: id === visible ? "0" : "-1", // as an attribute: only then is a list item focusable
        onclick: (event) => {
          event.stopPropagation();
          if (below.length && id === state.tree.picked) this.turn(id);
          pickNode(state.tree.lane, id);
        },
      },
      h(
        "span",
        { class: `item ${known ? "" : "later"}` },
        h("strong", {}, trace.title(id)),
        " ",
        told.join(", "),
      ),
      below.length && open
        ? h(
            "ul",
            { role: "group" },
            below.map((child) => this.item(trace, child, moment, picked, level + 1)),
          )
        : null,
    );
  }

  /** The node that the Tab key focuses: the picked one, or its nearest ancestor in the list. */
  visible(trace, picked) {
    const way = trace.path(picked);
    const closed = way.findIndex((id) => !this.open.has(id));
    return closed < 0 ? picked : way[closed];
  }

  turn(id, open = !this.open.has(id)) {
    if (open) this.open.add(id);
    else this.open.delete(id);
    this.update();
  }

  key(event) {
    const item = event.target.closest("[role=treeitem]");
    const id = Number(item.id.slice(5));
    const items = [...this.querySelectorAll("[role=treeitem]")];
    const at = items.indexOf(item);
    const to = (other) => other && this.go(Number(other.id.slice(5)));
    const below = this.of.children[id];
    const { parent } = this.of.nodes[id];
    if (event.key === "ArrowDown") to(items[at + 1]);
    else if (event.key === "ArrowUp") to(items[at - 1]);
    else if (event.key === "Home") to(items[0]);
    else if (event.key === "End") to(items.at(-1));
    else if (event.key === "Backspace") this.go(parent ?? 0);
    else if (event.key === "Enter" && below.length) this.turn(id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(id) {
    pickNode(state.tree.lane, id);
    this.querySelector(`#item-${id}`)?.focus();
  }
}

define("tree-list", TreeList);
