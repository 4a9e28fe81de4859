// The module that a notebook loads (anywidget): a frame with one of our pages, and a connection between the page and
// the kernel. The frame separates our keys, styles and elements from those of the notebook and of other widgets.
// contienda.widgets.page writes PAGE before this module: nothing is fetched.

/* global MessageChannel, PAGE */

function render({ model, el }) {
  const frame = document.createElement("iframe");
  let port = null;
  const show = () => port?.postMessage(model.get("shown"));
  const name = () => (frame.title = model.get("label"));
  frame.style.cssText = "display: block; width: 100%; border: 0";
  frame.style.height = `${model.get("height")}px`;
  frame.addEventListener("load", () => {
    // A frame that is moved in the document loads again.
    port?.close();
    const line = new MessageChannel();
    port = line.port1;
    port.onmessage = ({ data }) => {
      if (data.height) frame.style.height = `${data.height}px`;
      else model.send(data);
    };
    frame.contentWindow.postMessage("contienda", "*", [line.port2]);
    show();
  });
  name();
  frame.srcdoc = PAGE;
  model.on("change:shown", show);
  model.on("change:label", name);
  el.append(frame);
  return () => {
    model.off("change:shown", show);
    model.off("change:label", name);
    port?.close();
  };
}

export default { render };
