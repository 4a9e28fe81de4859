// The fields of a trace come as JSON: docs/en/formats.md.
import "../../src/contienda/web/static/js/tree/trace.js";

declare module "../../src/contienda/web/static/js/tree/trace.js" {
  interface Trace {
    columns: any;
    family: string;
    kinds: any;
    nodes: any[];
    note_name: any;
    numbered: any;
    start: any;
    steps: any[];
    texts: any;
  }
}
