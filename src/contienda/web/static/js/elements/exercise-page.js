// An exercise as a page of its own: `contienda.exercises.page` puts it into a single file, with the exercise as JSON.

import "./exercise-solver.js";
import { begin } from "../exercise/solving.js";
import { LANGUAGES, languageName, pick, setLanguage, startLanguage } from "../i18n.js";
import { set } from "../store.js";
import { EMPTY } from "../tree/explorer.js";
import { define, h, View } from "../view.js";

class ExercisePage extends View {
  static uses = ["exercise"];

  render({ exercise, language }) {
    const title = pick(exercise.data.title) || exercise.data.exercise.player;
    document.title = title;
    return h(
      "div",
      { class: "tree-page" },
      h(
        "header",
        { class: "tree-head" },
        h("h1", {}, title),
        LANGUAGES.map((name) =>
          h(
            "button",
            { lang: name, "aria-pressed": String(name === language), onclick: () => setLanguage(name) },
            languageName(name),
          ),
        ),
      ),
      h("exercise-solver"),
    );
  }
}

const data = JSON.parse(document.getElementById("data").textContent);
startLanguage();
const asked = new URLSearchParams(location.search).get("lang") ?? data.language;
if (LANGUAGES.includes(asked)) setLanguage(asked, false);
set({ route: { name: "exercise" }, tree: EMPTY });
begin(data);
define("exercise-page", ExercisePage);
