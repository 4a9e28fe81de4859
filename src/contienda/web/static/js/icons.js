// Line icons, drawn here: one path each on a field of 24 × 24.

import { h } from "./view.js";

const PATHS = {
  up: "M12 20V5M5 12l7-7 7 7",
  right: "M4 12h15M12 5l7 7-7 7",
  down: "M12 4v15M5 12l7 7 7-7",
  left: "M20 12H5M12 5l-7 7 7 7",
  undo: "M8 5 3 10l5 5M3 10h11a6 6 0 0 1 0 12h-3",
  redo: "M16 5l5 5-5 5M21 10H10a6 6 0 0 0 0 12h3",
  new: "M12 5v14M5 12h14",
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M8 5v14M16 5v14",
  step: "M9 5l7 7-7 7",
  back: "M15 5l-7 7 7 7",
  stop: "M6 6h12v12H6z",
  first: "M19 5v14l-9-7zM6 5v14",
  end: "M5 5v14l9-7zM18 5v14",
  hint: "M9 18h6M10 21.5h4M12 2.5a6.5 6.5 0 0 0-4 11.6c.7.6 1 1.4 1 2.2h6c0-.8.3-1.6 1-2.2a6.5 6.5 0 0 0-4-11.6z",
  save: "M5 3h11l3 3v15H5zM8 3v5h7V3M8 21v-7h8v7",
  share: "M12 15V3M7 8l5-5 5 5M5 13v8h14v-8",
  download: "M12 3v12M7 10l5 5 5-5M5 19v2h14v-2",
  upload: "M12 15V3M7 8l5-5 5 5M5 19v2h14v-2",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  close: "M6 6l12 12M18 6 6 18",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2.2M12 17.5v.01M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z",
  sun: "M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12 1v2M12 21v2M4.2 4.2l1.4 1.4M18.4 18.4l1.4 1.4M1 12h2M21 12h2M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4",
  moon: "M21 13A9 9 0 1 1 11 3a7 7 0 0 0 10 10z",
  auto: "M12 22a10 10 0 1 0 0-20zM12 2a10 10 0 0 0 0 20",
  star: "m12 2.5 2.9 6.3 6.8.8-5 4.7 1.3 6.8-6-3.4-6 3.4 1.3-6.8-5-4.7 6.8-.8z",
  tree: "M12 4v5M12 9 6 15M12 9l6 6M12 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM3.5 15h5v5h-5zM15.5 15h5v5h-5z",
  zoomin: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5M8 11h6M11 8v6",
  zoomout: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5M8 11h6",
  fit: "M12 3v6M9 6l3 3 3-3M5 20h14M8 16h8M10 12h4",
  overview: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  foldall: "M7 4l5 5 5-5M7 20l5-5 5 5",
  unfoldall: "M7 9l5-5 5 5M7 15l5 5 5-5",
  check: "M4 12.5l5.5 5.5L20 6.5",
};

export function icon(name, filled = false) {
  return h(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", { d: PATHS[name], fill: filled ? "currentColor" : "none" }),
  );
}
