// Copies a link to a position to the clipboard, or shows it in a box to copy from.

import { notify } from "../announce.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { shareUrl } from "../router.js";
import { h } from "../view.js";

export function shareButton(game, position) {
  return h("button", { class: "grow", onclick: () => share(shareUrl(game, position)) }, icon("share"), t("share"));
}

async function share(url) {
  try {
    await navigator.clipboard.writeText(url);
    notify(t("share.copied"));
  } catch {
    prompt(t("share.copy"), url);
  }
}
