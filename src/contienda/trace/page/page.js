"use strict";
// The data: texts, nodes and steps, as contienda.trace.html writes them. A moment is a number of steps done.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = new Map(data.nodes.map((node) => [node.id, node]));
const $ = (id) => document.getElementById(id);
const words = {
  step: ["Step", "Paso"], speed: ["Speed", "Velocidad"], zoom: ["Zoom", "Aumento"], node: ["Node", "Nodo"], legend: ["Legend", "Leyenda"],
  list: ["The tree as a list", "El árbol como lista"], first: ["To the start", "Al principio"],
  back: ["One step back", "Un paso atrás"], play: ["Play", "Reproducir"], pause: ["Pause", "Pausa"],
  next: ["One step forward", "Un paso adelante"], last: ["To the end", "Al final"],
  drawing: ["The tree of the search", "El árbol de la búsqueda"],
  start: ["Before the first step.", "Antes del primer paso."],
  keys: ["Keys: ← → step, Home and End, space plays; in the list the arrows walk the tree.",
    "Teclas: ← → paso, Inicio y Fin, espacio reproduce; en la lista las flechas recorren el árbol."],
  value: ["value", "valor"], move: ["move", "jugada"], kind: ["kind", "tipo"], hidden: ["nodes below, not drawn", "nodos debajo, sin dibujar"],
};
const wanted = new URLSearchParams(location.search).get("lang") || navigator.language || "en";
let language = wanted.toLowerCase().startsWith("es") ? 1 : 0;
let moment = data.steps.length;
let picked = 0;
let timer = null;

// What each node shows, and from which moment on: filled from the steps once, looked up at every moment.
const history = new Map(data.nodes.map((node) => [node.id, []]));
const born = new Map(data.nodes.map((node) => [node.id, node.parent === null ? 0 : Infinity]));
data.steps.forEach((step, i) => {
  for (const id of step.born) born.set(id, i + 1);
  for (const [id, label, note] of step.shows) history.get(id).push([i + 1, label, note]);
});

function shownAt(id) {
  let found = null;
  for (const entry of history.get(id)) {
    if (entry[0] > moment) break;
    found = entry;
  }
  return found;
}

function say(text) { return Array.isArray(text) ? text[language] : text; }

function draw() {
  const done = moment === data.steps.length;
  const step = moment > 0 ? data.steps[moment - 1] : null;
  for (const node of data.nodes) {
    const there = done || born.get(node.id) <= moment;
    const shape = $(`n${node.id}`), branch = $(`e${node.id}`);
    const shown = shownAt(node.id);
    shape.classList.toggle("later", !there);
    if (branch) branch.classList.toggle("later", !there);
    shape.querySelector(".label").textContent = done || node.crossed ? node.label : shown ? shown[1] : "";
    shape.querySelector(".note").textContent = done || node.crossed ? node.note : shown ? shown[2] : "";
    shape.classList.toggle("best", node.best && done);
    if (branch) for (const part of [branch, branch.firstChild]) part.classList.toggle("best", node.best && done);
    shape.classList.toggle("now", !done && step !== null && step.node === node.id);
    shape.classList.toggle("picked", node.id === picked);
  }
  $("says").textContent = step ? say(step.says) : say(words.start);
  $("where").textContent = `${moment} / ${data.steps.length}`;
  $("scrub").value = moment;
}

function go(to) {
  moment = Math.max(0, Math.min(data.steps.length, to));
  const step = moment > 0 ? data.steps[moment - 1] : null;
  if (step) picked = step.node;
  pick(picked, false);
  draw();
  if (step && moment < data.steps.length) intoView(step.node);
}

// Only as far as is needed, and only within the drawing: the page itself stays where the reader has it.
function intoView(id) {
  const frame = $("drawing"), around = frame.getBoundingClientRect(), box = $(`n${id}`).getBoundingClientRect();
  if (box.left < around.left || box.right > around.right) frame.scrollLeft += box.left - around.left - around.width / 2;
  if (box.top < around.top || box.bottom > around.bottom) frame.scrollTop += box.top - around.top - around.height / 2;
}

function play() {
  if (timer !== null) { stop(); return; }
  if (moment === data.steps.length) go(0);
  const tick = () => {
    go(moment + 1);
    if (moment === data.steps.length) stop();
    else timer = setTimeout(tick, 1600 / 2 ** Number($("speed").value));
  };
  timer = setTimeout(tick, 200);
  label();
}

function stop() {
  clearTimeout(timer);
  timer = null;
  label();
}

function pick(id, focus) {
  picked = id;
  const node = byId.get(id);
  // What is known at this moment: of a node that the search has not done with, only what it shows.
  const entries = history.get(id), shown = shownAt(id);
  const open = moment < data.steps.length && (entries.length === 0 ? !node.crossed : moment < entries.at(-1)[0]);
  const known = open
    ? [[words.value, shown ? `${shown[1] || "?"} ${shown[2]}`.trim() : "?"]]
    : [...(node.value ? [[words.value, node.value]] : []), ...node.facts,
      ...(node.hidden ? [[words.hidden, String(node.hidden)]] : [])];
  const facts = [[words.kind, node.kind], ...(node.edge ? [[words.move, node.edge]] : []), ...known];
  $("facts").replaceChildren(...facts.flatMap(([name, value]) => {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = say(name);
    dd.textContent = say(value);
    return [dt, dd];
  }));
  $("board").textContent = node.board.replaceAll("/", "\n");
  for (const item of document.querySelectorAll('[role="treeitem"][aria-selected="true"]')) {
    item.setAttribute("aria-selected", "false");
    item.tabIndex = -1;
  }
  const item = $(`t${id}`);
  item.setAttribute("aria-selected", "true");
  item.tabIndex = 0;
  if (focus) item.focus();
}

// The list: the same nodes for whoever cannot see the drawing.
function list() {
  const open = new Set([...document.querySelectorAll('[aria-expanded="true"]')].map((item) => item.id));
  const items = new Map();
  for (const node of data.nodes) {
    const item = document.createElement("li"), line = document.createElement("span");
    item.id = `t${node.id}`;
    item.role = "treeitem";
    item.tabIndex = -1;
    item.ariaLevel = node.depth + 1;
    item.setAttribute("aria-selected", "false");
    line.className = "line";
    line.textContent = say(node.sentence);
    item.append(line);
    items.set(node.id, item);
    const above = node.parent === null ? null : items.get(node.parent);
    if (above === null) { $("tree").replaceChildren(item); continue; }
    let group = above.querySelector(":scope > ul");
    if (!group) {
      group = document.createElement("ul");
      group.role = "group";
      group.className = "below";
      above.append(group);
      above.setAttribute("aria-expanded", String(open.has(above.id) || (open.size === 0 && above.ariaLevel <= 2)));
    }
    group.append(item);
  }
}

function walk(event, item) {
  const seen = [...$("tree").querySelectorAll('[role="treeitem"]')].filter((one) => one.offsetParent !== null);
  const at = seen.indexOf(item), folded = item.getAttribute("aria-expanded");
  const to = (other) => other && pick(Number(other.id.slice(1)), true);
  if (event.key === "ArrowDown") to(seen[at + 1]);
  else if (event.key === "ArrowUp") to(seen[at - 1]);
  else if (event.key === "Home") to(seen[0]);
  else if (event.key === "End") to(seen[seen.length - 1]);
  else if (event.key === "ArrowRight" && folded === "false") item.setAttribute("aria-expanded", "true");
  else if (event.key === "ArrowRight" && folded === "true") to(seen[at + 1]);
  else if (event.key === "ArrowLeft" && folded === "true") item.setAttribute("aria-expanded", "false");
  else if (event.key === "ArrowLeft") to(item.parentElement.closest('[role="treeitem"]'));
  else return;
  event.preventDefault();
  draw();
}

function label() {
  for (const id of ["first", "back", "next", "last"]) {
    $(id).ariaLabel = $(id).title = say(words[id]);
  }
  const playing = timer !== null;
  $("play").ariaLabel = $("play").title = say(playing ? words.pause : words.play);
  $("play").textContent = playing ? "❚❚" : "▶";
}

function speak(chosen) {
  language = chosen;
  document.documentElement.lang = ["en", "es"][language];
  document.title = say(data.title);
  for (const part of document.querySelectorAll("[data-text]")) {
    part.textContent = say(part.dataset.text === "title" ? data.title : words[part.dataset.text]);
  }
  for (const button of document.querySelectorAll("[data-language]")) {
    button.setAttribute("aria-pressed", String(button.dataset.language === document.documentElement.lang));
  }
  $("drawing").ariaLabel = say(words.drawing);
  $("message").hidden = data.message === null;
  if (data.message) $("message").textContent = say(data.message);
  $("legend").replaceChildren(...data.legend.map(([shape, text]) => {
    const item = document.createElement("li");
    item.innerHTML = shape; // our own drawing
    item.append(say(text));
    return item;
  }));
  for (const node of data.nodes) $(`n${node.id}`).querySelector("title").textContent = say(node.sentence);
  label();
  list();
  pick(picked, false);
  draw();
}

// Zoom: as large as fits, but still to be read; then the root in the middle.
const drawing = $("drawing").querySelector("svg");
const size = [drawing.viewBox.baseVal.width, drawing.viewBox.baseVal.height];
function zoom() {
  const factor = $("zoom").value / 100, frame = $("drawing"), middle = frame.scrollLeft + frame.clientWidth / 2;
  const before = drawing.width.baseVal.value;
  drawing.setAttribute("width", size[0] * factor);
  drawing.setAttribute("height", size[1] * factor);
  frame.scrollLeft = (middle * size[0] * factor) / before - frame.clientWidth / 2;
}

$("zoom").oninput = zoom;
$("scrub").max = data.steps.length;
$("first").onclick = () => { stop(); go(0); };
$("back").onclick = () => { stop(); go(moment - 1); };
$("next").onclick = () => { stop(); go(moment + 1); };
$("last").onclick = () => { stop(); go(data.steps.length); };
$("play").onclick = play;
$("scrub").oninput = () => { stop(); go(Number($("scrub").value)); };
for (const button of document.querySelectorAll("[data-language]")) {
  button.onclick = () => speak(button.dataset.language === "es" ? 1 : 0);
}
$("drawing").addEventListener("click", (event) => {
  const node = event.target.closest(".node");
  if (node) { pick(Number(node.id.slice(1)), false); draw(); }
});
$("tree").addEventListener("click", (event) => {
  const item = event.target.closest('[role="treeitem"]');
  const folded = item.getAttribute("aria-expanded");
  if (folded && item.getAttribute("aria-selected") === "true") item.setAttribute("aria-expanded", String(folded === "false"));
  pick(Number(item.id.slice(1)), true);
  draw();
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const item = event.target.closest('[role="treeitem"]');
  if (item) { walk(event, item); return; }
  if (event.target.tagName === "INPUT") return;
  const act = { ArrowRight: () => $("next").click(), ArrowLeft: () => $("back").click(), Home: () => $("first").click(),
    End: () => $("last").click() }[event.key];
  if (act) { act(); event.preventDefault(); }
  else if (event.key === " " && event.target.tagName !== "BUTTON") { play(); event.preventDefault(); }
});
speak(language);
const fit = Math.min(($("drawing").clientWidth - 20) / size[0], 1.4);
$("zoom").value = 100 * (fit < 0.45 ? 0.7 : fit);
zoom();
const root = $(`n${data.nodes[0].id}`).getBoundingClientRect(), frame = $("drawing").getBoundingClientRect();
$("drawing").scrollLeft += root.left - frame.left - frame.width / 2;
