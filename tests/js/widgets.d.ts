// contienda.widgets.page writes it before js/widgets/outside.js.
declare const PAGE: string;
