// A widget's connection to its notebook; outside.js has the other end.

let port = null;

/** Receive the notebook's data, now and whenever they change; the frame becomes as high as the page, or stays. */
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

/** Send a request to the kernel. */
export const tell = (message) => port?.postMessage(message);
