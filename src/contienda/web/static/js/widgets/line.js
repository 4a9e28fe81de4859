// A widget's line to the notebook around it; outside.js holds the other end.

let port = null;

/** Hear what the notebook has to show, now and whenever it changes; the frame becomes as high as the page, or stays. */
export function listen(receive, { grows = true } = {}) {
  addEventListener("message", ({ data, ports }) => {
    if (data !== "contienda" || !ports.length) return;
    port = ports[0];
    port.onmessage = (message) => receive(message.data);
    if (!grows) return;
    const measure = () => tell({ height: Math.ceil(document.querySelector("main").getBoundingClientRect().height) });
    new ResizeObserver(measure).observe(document.querySelector("main"));
  });
}

/** Tell the kernel what somebody wants. */
export const tell = (message) => port?.postMessage(message);
