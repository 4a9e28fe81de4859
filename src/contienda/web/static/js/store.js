// The state of the app in one place. Elements read it, `set` changes it, and subscribers are notified once per turn.

export const state = {
  language: "en",
  theme: "auto",
  catalogue: null, // the answer to GET /api/catalogue
  heuristics: [], // the user's own evaluators
  online: true,
  route: { name: "start", id: null, query: new URLSearchParams() },
  game: null, // the GameView on the board
  step: null, // the last Step made on it, which the board animates
  bests: {}, // game name -> the best score in this browser
  playedOn: [], // ids of won games that the user continues
  specs: {}, // game name -> the user's helper
  hint: { status: "off", text: null, analysis: null },
  hintsOn: false,
  quiz: { on: false, right: 0, total: 0, last: null },
  auto: { running: false, id: null, thinking: false, speed: 4, moves: [] }, // the machine that plays by itself
  editing: null, // { cells, score, brush, verdict } while the board is edited
  replay: null, // { game, ply, step, playing, speed, chart }
  batch: { status: "off", progress: null, job: null },
  path: { status: "off", progress: null, result: null },
  tab: "machine",
  tree: null, // the explorer of search trees: js/tree/explorer.js defines its shape
  treeTab: "steps",
  exercise: null, // the exercise being solved: js/exercise/solving.js
  lessons: null, // { status, error, make } of the exercises' screen
  lab: { runs: null, run: null, comparison: null, documents: null, document: null }, // js/lab/lab.js fills it
  training: null, // { list, view, name }: js/training.js
  classroom: null, // the class that this server serves: js/class.js
  notices: [],
  glossary: [], // { name, word, meaning }: js/glossary.js loads it
  algorithms: null, // the answer to GET /api/algorithms
  help: { tab: "glossary", text: "" }, // what the help shows
};

const subscribers = new Set();
let announced = false;

export function set(changes) {
  Object.assign(state, changes);
  if (announced) return;
  announced = true;
  queueMicrotask(() => {
    announced = false;
    for (const subscriber of [...subscribers]) subscriber();
  });
}

export function subscribe(subscriber) {
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
}

// Stored in the browser between visits: preferences and the id of the current game. Games are on the server.
export function remember(key, value) {
  try {
    localStorage.setItem(`contienda.${key}`, JSON.stringify(value));
  } catch {
    // If storage is full or forbidden, only a preference is lost, never the game.
  }
}

export function recall(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`contienda.${key}`)) ?? fallback;
  } catch {
    return fallback;
  }
}
