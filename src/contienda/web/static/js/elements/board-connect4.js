class B extends HTMLElement { draw() {} }
customElements.define("board-connect4", B);
