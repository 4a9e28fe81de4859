// A class: pupils join with its code; the app opens what the teacher sends, and a pause blocks it.

import { notify, say } from "./announce.js";
import { request } from "./api.js";
import { t } from "./i18n.js";
import { go } from "./router.js";
import { recall, remember, set, state, subscribe } from "./store.js";

const AGAIN = 2000; // milliseconds before the next request for news after an error

let enter = null;

/** The address shown before the teacher's page: the one that the teacher may want to send. */
export let looked = "";

/** Enter the app: at once without a class, otherwise when this browser has joined. */
export async function entered() {
  const news = await request("GET", "/class");
  take(news);
  if (!news.open) return;
  subscribe(() => {
    if (!["class", "start"].includes(state.route.name)) looked = location.hash;
  });
  watch();
  if (!news.joined) await new Promise((resolve) => (enter = resolve));
}

export async function join(code, name) {
  take(await request("POST", "/class/join", { code, name }));
}

export async function teach(password) {
  take(await request("POST", "/class/teach", { password }));
  go("#/class");
}

export const teacher = {
  look: () => request("GET", "/class/teacher"),
  order: (order) => request("POST", "/class/teacher", order),
};

async function watch() {
  while (!state.classroom.ended) {
    try {
      take(await request("GET", `/class?after=${state.classroom.version}`));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

function take(news) {
  const before = state.classroom;
  set({ classroom: news });
  if (!news.open) return;
  if (news.joined && enter) {
    enter();
    enter = null;
  }
  if (news.teacher || !news.joined) return;
  if (before && before.frozen !== news.frozen) say(t(news.frozen ? "class.frozen" : "class.thawed"));
  const sent = `${news.sent_number} ${news.sent}`;
  if (news.sent && recall("class.sent") !== sent) {
    remember("class.sent", sent);
    go(news.sent);
    notify(t("class.sent"));
  }
}
