import js from "@eslint/js";

const browser = [
  "AbortController", "addEventListener", "Blob", "cancelAnimationFrame", "clearInterval", "clearTimeout", "confirm", "console",
  "crypto", "CSS", "customElements", "CustomEvent", "document", "DOMMatrix", "Element", "Event", "EventSource", "fetch",
  "File", "FormData", "getComputedStyle", "history", "HTMLElement", "Image", "innerHeight", "innerWidth",
  "IntersectionObserver", "KeyboardEvent", "localStorage", "location", "matchMedia", "MutationObserver", "navigator",
  "Node", "performance", "PointerEvent", "prompt", "queueMicrotask", "removeEventListener", "requestAnimationFrame",
  "ResizeObserver", "scrollTo", "scrollX", "scrollY", "sessionStorage", "setInterval", "setTimeout", "structuredClone",
  "TextDecoder", "TextEncoder", "URL", "URLSearchParams", "WebSocket", "window", "XMLSerializer",
];

export default [
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: "module",
      globals: Object.fromEntries(browser.map((name) => [name, "readonly"])),
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
