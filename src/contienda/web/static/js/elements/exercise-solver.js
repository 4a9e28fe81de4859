// An exercise: its tree, its questions one by one, and at the end the code to hand in. The app's screen and the page for
// a course site both show it.

import "./tree-drawing.js";
import { say } from "../announce.js";
import { pick, milliseconds, number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { makeCode, markOf } from "../exercise/code.js";
import { answerText, readNumber, words } from "../exercise/judge.js";
import { answer, change, draft, draftOf, giveUp, hint, settled, showSteps, staged } from "../exercise/solving.js";
import { state } from "../store.js";
import { fold, foldsOf, momentOf, pickNode, put, treeKeydown } from "../tree/explorer.js";
import { little } from "../tree/little.js";
import { define, h, View } from "../view.js";
import { stepBar } from "./tree-bar.js";
import { codeCard } from "./tree-code.js";
import { nodeCard } from "./tree-node.js";

const OPEN = new Set(); // nothing is folded: a tree to solve by hand is small

class ExerciseSolver extends View {
  static uses = ["exercise", "tree"];

  render({ exercise, tree }) {
    if (!exercise) return null;
    const { data, steps } = exercise;
    const text = pick(data.text);
    return h(
      "div",
      { class: `explorer exercise ${data.trace.family} ${steps ? "" : "asking"}` },
      h(
        "section",
        { class: "canvas", "aria-label": t("tree.title"), key: "canvas" },
        h(
          "div",
          { class: "exercise-head", key: "head" },
          text ? h("p", {}, text) : null,
          h("p", { class: "help" }, h("code", {}, data.exercise.player), " · ", h("code", {}, data.exercise.game), this.tools()),
        ),
        h("div", { class: "lanes", key: "lanes" }, h("div", { class: "lane" }, h("tree-drawing"))),
        steps ? stepBar(tree) : this.looked(exercise),
      ),
      h(
        "aside",
        { class: "side", "aria-label": t("exercise.questions"), key: "side" },
        steps ? this.searched(exercise, tree) : this.questions(exercise),
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
    };
    return h(
      "span",
      { class: "tools", role: "toolbar", "aria-label": t("tree.tools") },
      Object.entries(tools).map(([name, onclick]) =>
        h("button", { class: "icon quiet", title: t(`tree.${name}`), "aria-label": t(`tree.${name}`), onclick }, icon(name)),
      ),
    );
  }

  /** The node under the pointer, or the picked one: its board, its name and the value that is known so far. */
  looked(exercise) {
    const id = this.hovered ?? this.pickedOf(exercise);
    const { board } = exercise.stage.nodes[id];
    return h(
      "div",
      { class: "looked", key: "looked" },
      exercise.stage.has_boards ? little(board) : null,
      h("p", { class: "help" }, this.inWords(exercise, id)),
    );
  }

  /** A node as the student sees it in the tree; a screen reader says so too. */
  inWords(exercise, id) {
    const { stage, moment } = staged(exercise);
    const { label } = stage.shown(id, moment);
    const moves = stage.drawn(id).map((child) => stage.edge(child));
    return [
      stage.path(id).slice(1).map((at) => stage.edge(at)).join("/") || t("tree.root"),
      stage.words(stage.kinds[stage.nodes[id].kind]),
      label ? t("exercise.node.value", { value: label === "?" ? t("exercise.node.asked") : label }) : null,
      moves.length ? t("exercise.node.moves", { n: moves.length, moves: moves.join(", ") }) : null,
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /** The node that is picked; at first that of the question. */
  pickedOf({ data, at }) {
    const question = data.questions[at];
    if (this.pickedFor !== question.id) this.picked = question.node;
    this.pickedFor = question.id;
    return this.picked;
  }

  // --- The questions ---

  questions(exercise) {
    const { data, attempts, at, finished } = exercise;
    const done = attempts.filter(settled).length;
    return [
      finished ? this.handIn(exercise) : null,
      h("p", { class: "help", key: "count", role: "status" }, t("exercise.count", { n: data.questions.length, done: number(done) })),
      h(
        "ol",
        { class: "questions", key: "questions" },
        data.questions.map((question, i) =>
          h(
            "li",
            { key: question.id, class: `card ${i === at ? "asked" : ""} ${mood(attempts[i])}` },
            h(
              "button",
              { class: "quiet prompt", "aria-expanded": String(i === at), onclick: () => change({ at: i }) },
              sign(attempts[i]),
              h("span", {}, words(question.prompt)),
            ),
            i === at ? this.question(exercise, question, i) : null,
          ),
        ),
      ),
    ];
  }

  question(exercise, question, i) {
    const attempt = exercise.attempts[i];
    const open = !settled(attempt);
    const { verdict, hints } = attempt;
    return h(
      "div",
      { class: "stack", key: "body" },
      question.hints.slice(0, hints).map((text, n) => h("p", { class: "hint", key: `hint${n}` }, words(text))),
      verdict
        ? h(
            "div",
            { class: `verdict ${attempt.right ? "" : "wrong"}`, key: "verdict" },
            h("p", {}, h("strong", {}, this.judged(attempt, question)), " ", words(verdict.text)),
            verdict.step ? h("p", { class: "help" }, words(verdict.step)) : null,
          )
        : null,
      open
        ? h(
            "form",
            {
              class: "stack",
              key: "form",
              onsubmit: (event) => {
                event.preventDefault();
                this.submit(question, i);
              },
            },
            this.fields(exercise, question),
            this.bad === question.id ? h("p", { class: "error", role: "alert" }, t(`exercise.bad.${question.form}`)) : null,
            h(
              "div",
              { class: "row" },
              h("button", { class: "primary grow" }, icon("check"), t("exercise.answer")),
              h(
                "button",
                { type: "button", disabled: hints === question.hints.length, onclick: () => hint(i) },
                icon("hint"),
                t("exercise.hint", { left: question.hints.length - hints }),
              ),
              attempt.tries || hints
                ? h("button", { type: "button", class: "quiet", onclick: () => this.show(i) }, t("exercise.give"))
                : null,
            ),
          )
        : null,
    );
  }

  judged(attempt, question) {
    if (attempt.right) return t("exercise.right");
    const chosen = question.choices?.find(({ key }) => key === question.answer);
    const answer = chosen ? words(chosen.name) : answerText(question);
    return attempt.given ? t("exercise.was", { answer }) : t("exercise.wrong");
  }

  fields(exercise, question) {
    const { id, form, choices } = question;
    const held = draftOf(exercise, question);
    const field = (label, value, oninput, key) =>
      h(
        "label",
        { class: "field", key },
        label,
        h("input", { value, autocomplete: "off", autocapitalize: "off", oninput: (event) => oninput(event.target.value) }),
      );
    if (form === "number") return field(t("exercise.number"), held, (value) => draft(id, value), id);
    if (form === "window")
      return h(
        "div",
        { class: "row", key: id },
        ["α", "β"].map((name, i) => field(name, held[i], (value) => draft(id, held.map((one, at) => (at === i ? value : one))), name)),
        ["−∞", "+∞"].map((sign, i) =>
          h("button", { type: "button", key: sign, "aria-label": `${"αβ"[i]} = ${sign}`,
            onclick: () => draft(id, held.map((one, at) => (at === i ? sign : one))) }, sign),
        ),
      );
    const many = form === "branches";
    return h(
      "fieldset",
      { class: "choices", key: id },
      h("legend", {}, t(many ? "exercise.branches" : "exercise.choice")),
      choices.map(({ key, name }) =>
        h(
          "label",
          { class: "check", key },
          h("input", {
            type: many ? "checkbox" : "radio",
            name: id,
            value: key,
            checked: many ? held.includes(key) : held === key,
            onchange: () => this.choose(question, key),
          }),
          words(name),
        ),
      ),
    );
  }

  choose(question, key) {
    const held = draftOf(state.exercise, question);
    if (question.form === "choice") draft(question.id, key);
    else draft(question.id, held.includes(key) ? held.filter((one) => one !== key) : [...held, key]);
  }

  submit(question, i) {
    const held = draftOf(state.exercise, question);
    const said = question.form === "number" ? readNumber(held) : question.form === "window" ? held.map(readNumber) : held;
    const bad = [said].flat().some(Number.isNaN) || said === "";
    this.bad = bad ? question.id : null;
    if (bad) return this.update();
    answer(i, said);
    this.focusNext = state.exercise.attempts[i].right; // a wrong answer does not move the view
    return undefined;
  }

  show(i) {
    giveUp(i);
    this.focusNext = true;
  }

  // --- The end ---

  handIn(exercise) {
    const { data, attempts, begun, finished, name } = exercise;
    const seconds = (finished - begun) / 1000;
    const code = makeCode({
      fingerprint: data.fingerprint,
      title: pick(data.title) || data.exercise.player,
      name: name.trim(),
      finished,
      seconds,
      attempts,
    });
    return h(
      "section",
      { class: "card hand-in", key: "end", "aria-label": t("exercise.end") },
      h("h2", { tabindex: "-1" }, t("exercise.end")),
      h(
        "p",
        {},
        t("exercise.mark", {
          n: attempts.length,
          right: number(attempts.filter(({ right }) => right).length),
          mark: number(markOf(attempts), 2),
          time: milliseconds(1000 * Math.round(seconds)),
          tries: number(attempts.reduce((sum, { tries }) => sum + tries, 0)),
        }),
      ),
      h(
        "label",
        { class: "field" },
        t("exercise.name"),
        h("input", { value: name, autocomplete: "name", maxlength: 60, oninput: (event) => change({ name: event.target.value }) }),
      ),
      h(
        "label",
        { class: "field" },
        t("exercise.code"),
        h("textarea", { readonly: true, rows: 4, class: "code", value: code, onfocus: (event) => event.target.select() }),
      ),
      h("p", { class: "help" }, t("exercise.code.help")),
      h("button", { class: "wide", onclick: () => showSteps() }, icon("play"), t("exercise.steps")),
    );
  }

  searched(exercise, tree) {
    return [
      h("button", { class: "wide", key: "back", onclick: () => change({ steps: false }) }, icon("back"), t("exercise.back")),
      h("p", { class: "says", key: "says" }, exercise.trace.sentence(momentOf(tree, 0))),
      codeCard(tree),
      nodeCard(tree),
    ];
  }

  connectedCallback() {
    super.connectedCallback();
    this.onkey = (event) => {
      if (state.exercise?.steps && !event.defaultPrevented && treeKeydown(event)) event.preventDefault();
    };
    addEventListener("keydown", this.onkey);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.onkey);
  }

  update() {
    super.update();
    const { exercise, tree } = state;
    const drawing = this.querySelector("tree-drawing");
    if (!exercise || !drawing) return;
    if (exercise.steps) this.drawSteps(drawing, tree);
    else this.drawStage(drawing, exercise);
    if (this.focusNext) {
      this.focusNext = false;
      const next = this.querySelector(exercise.finished ? ".hand-in h2" : ".asked form input, .asked form button");
      next?.focus();
    }
  }

  drawSteps(drawing, tree) {
    const { trace } = tree.lanes[0];
    drawing.onmark = null;
    drawing.onpick = (id) => pickNode(0, id);
    drawing.onfold = (id) => fold(0, id);
    drawing.onhover = (id) => put({ hover: id === null ? null : { lane: 0, node: id } });
    const label = t("tree.drawing", { player: trace.player, n: trace.nodes.length });
    drawing.draw({ lane: 0, trace, folds: foldsOf(tree, 0), moment: momentOf(tree, 0), picked: tree.picked, label });
  }

  drawStage(drawing, exercise) {
    const { data, at, attempts } = exercise;
    const question = data.questions[at];
    const { stage, moment } = staged(exercise);
    const held = draftOf(exercise, question);
    const chosen = new Set(question.choices ? [held].flat() : []);
    const marks = new Set((question.choices ?? []).filter(({ key }) => chosen.has(key)).map(({ node }) => node));
    const open = question.choices && !settled(attempts[at]);
    const byNode = new Map((question.choices ?? []).map(({ key, node }) => [node, key]));
    const spoken = () => {
      const { board } = stage.nodes[this.picked];
      say([this.inWords(exercise, this.picked), stage.has_boards ? board : null].filter(Boolean).join(" · "));
    };
    drawing.onmark = (id) => {
      this.picked = id;
      if (open && byNode.has(id)) this.choose(question, byNode.get(id));
      else this.update();
      return true;
    };
    drawing.onpick = (id) => {
      this.picked = id;
      this.update();
      spoken();
    };
    drawing.onfold = null;
    drawing.onhover = (id) => {
      this.hovered = id;
      this.update();
    };
    const label = t("exercise.drawing", { n: stage.nodes.length });
    const picked = this.pickedOf(exercise);
    drawing.draw({ lane: 0, trace: stage, folds: OPEN, moment, picked, label, hides: nothing, marks, spoken: true });
  }
}

const nothing = () => false; // a stage hides values itself; marking it as hiding also conceals cuts and the best line

const mood = ({ right, given }) => (right ? "right" : given ? "given" : "");

function sign(attempt) {
  const [mark, name] = attempt.right ? ["✓", "exercise.right"] : settled(attempt) ? ["–", "exercise.given"] : ["", "exercise.open"];
  return h("span", { class: "sign", role: "img", "aria-label": t(name) }, mark);
}

define("exercise-solver", ExerciseSolver);
