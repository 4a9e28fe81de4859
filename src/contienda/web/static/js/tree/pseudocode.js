// The algorithm as a textbook writes it, put together from what occurs in a trace, and the lines that a step runs.

import { state } from "../store.js";
import { figure } from "./trace.js";

/** [id, indent, English, Spanish] of each line. */
const LEAF = [["leaf", 1, "if s is a leaf: return its value", "si s es hoja: devuelve su valor"]];

function side(kind, windows) {
  const [who, none, best, own] = kind === "max" ? ["MAX", "−∞", "max", "α"] : ["MIN", "+∞", "min", "β"];
  const call = windows ? "value(s·m, α, β)" : "value(s·m)";
  const lines = [
    [`${kind}.enter`, 1, `if ${who} is to move:  v ← ${none}`, `si juega ${who}:  v ← ${none}`],
    [`${kind}.each`, 2, "for each move m:", "para cada jugada m:"],
    [`${kind}.leave`, 3, `v ← ${best}(v, ${call})`, `v ← ${best}(v, ${call})`],
  ];
  if (windows)
    lines.push(
      [`${kind}.own`, 3, `${own} ← ${best}(${own}, v)`, `${own} ← ${best}(${own}, v)`],
      [`${kind}.cut`, 3, "if α ≥ β: return v ✂", "si α ≥ β: devuelve v ✂"],
    );
  return [...lines, [`${kind}.return`, 2, "return v", "devuelve v"]];
}

const CHANCE = [
  ["chance.enter", 1, "if luck decides:  v ← 0", "si decide el azar:  v ← 0"],
  ["chance.each", 2, "for each outcome m with probability p:", "para cada suceso m con probabilidad p:"],
  ["chance.leave", 3, "v ← v + p · value(s·m)", "v ← v + p · value(s·m)"],
  ["chance.return", 2, "return v", "devuelve v"],
];

const HIT = [["hit", 1, "if the table knows s: return that", "si la tabla conoce s: devuelve eso"]];

const MCTS = [
  ["each", 0, "while there is budget:", "mientras quede presupuesto:"],
  ["select", 1, "1 select: go down by the largest UCB", "1 selección: baja por el mayor UCB"],
  ["expand", 1, "2 expand: add a new child", "2 expansión: añade un hijo nuevo"],
  ["simulate", 1, "3 simulate: play on to a result", "3 simulación: juega hasta un resultado"],
  ["backpropagate", 1, "4 backpropagate: result to all above", "4 retropropagación: el resultado, hacia arriba"],
  ["end", 0, "play the most visited move", "juega la más visitada"],
];

const PATH = [
  ["start", 0, "open ← {start}", "abiertos ← {inicio}"],
  ["expand", 0, "take the best node n out of open", "saca de abiertos el mejor nodo n"],
  ["goal", 1, "if n is the goal: done", "si n es meta: fin"],
  ["each", 1, "for each move m of n:", "para cada jugada m de n:"],
  ["make", 2, "new state: into open with f = g + h", "estado nuevo: a abiertos con f = g + h"],
  ["better", 2, "known, and now cheaper: change its way", "conocido y ahora más barato: cambia su camino"],
  ["known", 2, "known otherwise: nothing", "conocido si no: nada"],
];
const PATH_MORE = {
  prune: ["prune", 2, "cannot help: prune", "no puede ayudar: poda"],
  undo: ["undo", 1, "nothing left: undo n", "nada más: deshace n"],
  limit: ["limit", 0, "raise the limit, begin again", "sube el límite, empieza otra vez"],
};

const written = new WeakMap(); // trace -> its lines

/** The lines of the algorithm that a trace is of. */
export function pseudocode(trace) {
  if (!written.has(trace)) written.set(trace, linesOf(trace));
  return written.get(trace).map(([id, indent, en, es]) => ({ id, indent, text: state.language === "es" ? es : en }));
}

function linesOf(trace) {
  if (trace.family === "mcts") return MCTS;
  if (trace.family === "path") {
    const done = new Set(trace.steps.map((step) => step.do));
    const rest = Object.entries(PATH_MORE).filter(([what]) => done.has(what));
    return [...PATH, ...rest.map(([, line]) => line)];
  }
  const { kinds } = trace;
  const head = trace.windows ? "value(s, α, β):" : "value(s):";
  return [
    ["head", 0, head, head],
    ...LEAF,
    ...(trace.counters.hits ? HIT : []),
    ...(kinds.has("max") ? side("max", trace.windows) : []),
    ...(kinds.has("min") ? side("min", trace.windows) : []),
    ...(kinds.has("chance") ? CHANCE : []),
  ];
}

/** The lines that a step runs. */
export function running(trace, moment) {
  const step = trace.step(moment);
  if (!step) return [];
  const node = trace.nodes[step.node];
  if (trace.family !== "tree") return [step.do === "make" && step.node === 0 ? "start" : step.do];
  if (step.do === "enter") return node.kind === "leaf" ? ["leaf"] : ["head", `${node.kind}.enter`];
  if (step.do === "hit") return ["hit"];
  if (step.do === "cut") return [`${node.kind}.cut`];
  const { kind } = trace.nodes[node.parent];
  return [`${kind}.leave`, ...(trace.windows && kind !== "chance" ? [`${kind}.own`] : [])];
}

/** The values of the variables after a step: [name, text] of each. */
export function variables(trace, moment) {
  const step = trace.step(moment);
  if (!step) return [];
  if (trace.family === "mcts")
    return [
      ["n", step.visits ?? "–"],
      ["x̄", step.mean === undefined ? "–" : figure(step.mean)],
      ["k", step.simulation],
    ];
  if (trace.family === "path") {
    const { g = null, h = null, value = null } = { ...trace.nodes[step.node], ...step };
    return [
      ["g", figure(g)],
      ["h", h === null ? "–" : figure(h)],
      ["f", value === null ? "–" : figure(value)],
    ];
  }
  const node = trace.nodes[step.node];
  const here = step.do === "leave" ? trace.nodes[node.parent] : node;
  const none = { max: "−∞", min: "+∞", chance: "0" }[here.kind];
  const v =
    step.do === "leave" ? figure(step.best) : step.do === "enter" && none ? none : figure(step.value ?? here.value);
  if (!trace.windows) return [["v", v]];
  return [
    ["α", step.alpha === null || step.alpha === undefined ? "−∞" : figure(step.alpha)],
    ["β", step.beta === null || step.beta === undefined ? "+∞" : figure(step.beta)],
    ["v", v],
  ];
}
