// For TypeScript's checker (jsconfig.json). Our elements get properties from whoever creates them, by name, so that
// none can be declared as a class field: it would undo what was set before the browser knew the class.

interface Element {
  [property: string]: any;
}

interface EventTarget {
  closest?(selectors: string): any;
}

/** A board says how it is drawn. */
interface CustomElementConstructor {
  ratio?: any;
  side?: any;
  edits?: any;
}

/** An element says which keys of the store it reads. */
interface Function {
  uses?: string[];
}
