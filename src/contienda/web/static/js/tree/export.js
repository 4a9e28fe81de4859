// Exports the view: the drawing as SVG or PNG for a slide, the steps as text.

const SHEET = "tree-drawing.css";
const PICTURE_SCALE = 2; // pixels of the picture per pixel of the screen: sharp on a slide

/** The view as an SVG that stands alone: the rules of its style sheet, and the colours as they are now. */
export function standalone(drawing) {
  const { clientWidth: width, clientHeight: height } = drawing;
  const svg = drawing.svg.cloneNode(true);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith(SHEET));
  const rules = [...sheet.cssRules].map((rule) => rule.cssText).join("\n");
  const names = new Set(rules.match(/--[\w-]+/g));
  const style = document.createElementNS(svg.namespaceURI, "style");
  style.textContent = `svg { ${colours(drawing, names)} font-family: system-ui, sans-serif; }\n${rules}`;
  const paper = document.createElementNS(svg.namespaceURI, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("class", "paper");
  svg.prepend(style, paper);
  for (const cursor of svg.querySelectorAll(".picked")) cursor.classList.remove("picked");
  return new XMLSerializer().serializeToString(svg);
}

/** Custom properties replaced by their colours, light or dark. */
function colours(drawing, names) {
  const probe = document.createElement("span");
  drawing.append(probe);
  const settled = ["--surface", ...names].map((name) => {
    probe.style.color = `var(${name})`;
    return `${name}: ${getComputedStyle(probe).color};`;
  });
  probe.remove();
  return settled.join(" ");
}

export function drawingFile(drawing) {
  download("tree.svg", new Blob([standalone(drawing)], { type: "image/svg+xml" }));
}

export async function pictureFile(drawing) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(drawing))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = PICTURE_SCALE * drawing.clientWidth;
  canvas.height = PICTURE_SCALE * drawing.clientHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => download("tree.png", blob), "image/png");
}

/** Every step in words, one per line. */
export function stepsFile(trace) {
  const head = `${trace.player} · ${trace.game} · ${trace.position}\n${trace.words(trace.result)}\n\n`;
  const lines = trace.steps.map(({ says }, i) => `${i + 1}. ${trace.words(says)}\n`);
  download("steps.txt", new Blob([head, ...lines], { type: "text/plain;charset=utf-8" }));
}

function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
