// js/texts.js is made from texts/*.json when it is served (contienda.trace.bundle).
declare module "*/texts.js" {
  export const TEXTS: Record<string, Record<string, any>>;
}
