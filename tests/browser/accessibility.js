// What a checker of accessibility looks for, on the page as it stands: a list of faults, empty if there are none.
() => {
  const faults = [];
  const seen = (e) =>
    e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getBoundingClientRect().width > 1;
  const where = (e) =>
    `<${e.localName} class="${e.getAttribute("class") ?? ""}"> ${(e.textContent ?? "").trim().slice(0, 30)}`;

  // --- Names and roles ---
  const name = (e) => {
    const by = (e.getAttribute("aria-labelledby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join("");
    const labels = [...(e.labels ?? [])].map((label) => label.textContent).join("");
    return (
      e.getAttribute("aria-label") ||
      by ||
      labels ||
      (e.localName === "input" ? "" : e.textContent) ||
      e.title ||
      ""
    ).trim();
  };
  for (const e of document.querySelectorAll(
    "button, a, input, select, textarea, dialog, [role=grid], [role=gridcell], [role=img], [role=tab], [role=tabpanel]",
  )) {
    if (!name(e) && (seen(e) || e.type === "file")) faults.push(`no name: ${where(e)}`);
  }
  for (const e of document.querySelectorAll("[id]"))
    if (document.querySelectorAll(`[id="${e.id}"]`).length > 1) faults.push(`id twice: ${e.id}`);
  for (const e of document.querySelectorAll("[role=row]"))
    if (!e.parentElement.closest("[role=grid]")) faults.push("a row outside of a grid");
  for (const e of document.querySelectorAll("svg"))
    if (!e.closest("[aria-hidden=true]") && !(["img", "application"].includes(e.getAttribute("role")) && name(e)))
      faults.push(`a drawing neither named nor hidden: ${where(e)}`);
  for (const e of document.querySelectorAll("[tabindex]"))
    if (e.tabIndex > 0) faults.push(`a tabindex that jumps: ${where(e)}`);
  if (document.querySelectorAll("main").length !== 1 || document.querySelectorAll("h1").length !== 1)
    faults.push("one main and one h1 there must be");
  if (!document.documentElement.lang) faults.push("no language");

  // --- Contrast: WCAG 2, 4.5 for text, 3 for large text ---
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      layers.push(rgba(getComputedStyle(at).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const e = text.parentElement;
    if (!text.data.trim() || !seen(e) || e.closest(":disabled, option, .unseen, .skip, noscript, svg")) continue;
    const style = getComputedStyle(e);
    const below = ground(e);
    const [high, low] = [luminance(over(rgba(style.color), below)), luminance(below)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: ${where(e)}`);
  }
  return faults;
};
