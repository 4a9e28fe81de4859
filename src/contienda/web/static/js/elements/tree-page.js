// One trace as a page of its own: the explorer without its server. `contienda.trace.html` puts it into a single file,
// with the trace as JSON.

import "./tree-drawing.js";
import "./tree-list.js";
import { LANGUAGES, languageName, pick, setLanguage, startLanguage, t } from "../i18n.js";
import { icon } from "../icons.js";
import { recall, set, state } from "../store.js";
import { EMPTY, fold, foldAll, foldsOf, goTo, momentOf, pickNode, present, put, treeKeydown } from "../tree/explorer.js";
import { define, h, View } from "../view.js";
import { stepBar } from "./tree-bar.js";
import { codeCard } from "./tree-code.js";
import { nodeCard } from "./tree-node.js";

const SHAPES = { max: "△", min: "▽", chance: "○", leaf: "□", state: "□", cut: "✕" };

class TreePage extends View {
  static uses = ["tree", "language"];

  render({ tree, language }) {
    const { trace } = tree.lanes[0];
    document.title = trace.words(trace.summary);
    return h(
      "div",
      { class: "tree-page" },
      h(
        "header",
        { class: "tree-head" },
        h("h1", {}, trace.words(trace.summary)),
        LANGUAGES.map((name) =>
          h(
            "button",
            { lang: name, "aria-pressed": String(name === language), onclick: () => setLanguage(name) },
            languageName(name),
          ),
        ),
      ),
      trace.truncated ? h("p", { class: "error", role: "note" }, pick(trace.truncated)) : null,
      h(
        "div",
        { class: "explorer" },
        h(
          "section",
          { class: "canvas", "aria-label": t("tree.title") },
          this.tools(),
          h("div", { class: "lanes" }, h("div", { class: "lane" }, h("tree-drawing"))),
          stepBar(tree),
        ),
        h(
          "aside",
          { class: "side" },
          h("p", { class: "says" }, trace.sentence(momentOf(tree, 0))),
          codeCard(tree),
          nodeCard(tree),
          h("p", { class: "help" }, legend(trace)),
          h("h2", {}, t("tree.tab.list")),
          h("tree-list"),
        ),
      ),
    );
  }

  tools() {
    const drawing = () => this.querySelector("tree-drawing");
    const tools = {
      zoomin: () => drawing().zoomBy(1.25),
      zoomout: () => drawing().zoomBy(0.8),
      fit: () => drawing().fit(),
      overview: () => drawing().overview(),
      foldall: () => foldAll(true),
      unfoldall: () => foldAll(false),
    };
    return h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": t("tree.tools") },
      Object.entries(tools).map(([name, onclick]) =>
        h(
          "button",
          { class: "icon quiet", title: t(`tree.${name}`), "aria-label": t(`tree.${name}`), onclick },
          icon(name),
        ),
      ),
    );
  }

  update() {
    super.update();
    const { tree } = state;
    const { trace } = tree.lanes[0];
    const drawing = this.querySelector("tree-drawing");
    drawing.onpick = (id) => pickNode(0, id);
    drawing.onfold = (id) => fold(0, id);
    drawing.onhover = (id) => put({ hover: id === null ? null : { lane: 0, node: id } });
    const label = t("tree.drawing", { player: trace.player, n: trace.nodes.length });
    const [folds, moment] = [foldsOf(tree, 0), momentOf(tree, 0)];
    drawing.draw({ lane: 0, trace, folds, moment, picked: tree.picked, label });
  }
}

/** The legend: the kinds of nodes by their shapes. */
function legend(trace) {
  return Object.keys(SHAPES)
    .filter((kind) => kind in trace.kinds)
    .map((kind) => `${SHAPES[kind]} ${trace.words(trace.kinds[kind])}`)
    .join(" · ");
}

/** Show a trace, starting with the whole tree. */
export function showTrace(data) {
  set({ route: { name: "tree" }, tree: { ...EMPTY, into: recall("treeInto", true) } });
  present(data);
  goTo(Infinity, { speak: false });
  if (!customElements.get("tree-page")) define("tree-page", TreePage); // the trace is already there
}

startLanguage();
const asked = new URLSearchParams(location.search).get("lang");
if (LANGUAGES.includes(asked)) setLanguage(asked, false);
const data = document.getElementById("data"); // for a page with one trace; a notebook passes its own
if (data) showTrace(JSON.parse(data.textContent));
addEventListener("keydown", (event) => {
  if (!event.defaultPrevented && treeKeydown(event)) event.preventDefault();
});
