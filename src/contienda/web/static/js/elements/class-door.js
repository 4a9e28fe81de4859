// The pages of a class for its pupils: the form to join, the pause, the end.

import { join, teach } from "../class.js";
import { input } from "../fields.js";
import { pick, t } from "../i18n.js";
import { define, h, View } from "../view.js";

class ClassDoor extends View {
  static uses = ["classroom", "route"];

  asked = { code: "", name: "", password: "" };
  asTeacher = null; // whether to show the teacher's form; null: decided by the address
  error = null;

  render({ classroom, route }) {
    return h("dialog", { "aria-labelledby": "door-title", class: "door", oncancel: (event) => event.preventDefault() }, this.inside(classroom, route));
  }

  inside(room, route) {
    if (!room?.open) return [];
    if (room.ended) return [h("h2", { id: "door-title" }, t("class.over")), h("p", {}, t("class.over.tell"))];
    if (!room.joined) return this.asTeacher ?? route.name === "class" ? this.teacherForm() : this.pupilForm();
    if (room.frozen && !room.teacher)
      return [h("h2", { id: "door-title" }, t("class.frozen")), h("p", {}, t("class.frozen.tell"))];
    if (route.name === "class" && !room.teacher) return this.teacherForm();
    return [];
  }

  pupilForm() {
    return h(
      "form",
      { class: "stack", key: "pupil", onsubmit: (event) => this.send(event, () => join(this.asked.code, this.asked.name)) },
      h("h1", { id: "door-title" }, t("class.join")),
      input(t("class.code"), this.asked.code, (code) => (this.asked.code = code), {
        required: "",
        maxlength: 40,
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: "false",
        class: "mono",
      }),
      input(t("class.name"), this.asked.name, (name) => (this.asked.name = name), { required: "", maxlength: 30, autocomplete: "nickname" }),
      this.told(),
      h("button", { class: "primary wide", type: "submit" }, t("class.enter")),
      h("button", { class: "quiet", type: "button", onclick: () => this.turn(true) }, t("class.teacher")),
    );
  }

  teacherForm() {
    return h(
      "form",
      { class: "stack", key: "teacher", onsubmit: (event) => this.send(event, () => teach(this.asked.password)) },
      h("h1", { id: "door-title" }, t("class.teacher")),
      input(t("class.password"), this.asked.password, (password) => (this.asked.password = password), {
        type: "password",
        required: "",
        maxlength: 200,
        autocomplete: "current-password",
      }),
      this.told(),
      h("button", { class: "primary wide", type: "submit" }, t("class.enter")),
      this.seen.classroom.joined
        ? h("a", { href: "#/" }, t("class.back"))
        : h("button", { class: "quiet", type: "button", onclick: () => this.turn(false) }, t("class.pupil")),
    );
  }

  told() {
    return h("p", { class: "error", role: "alert" }, this.error ? pick(this.error) : "");
  }

  turn(asTeacher) {
    this.asTeacher = asTeacher;
    this.error = null;
    this.update();
  }

  async send(event, ask) {
    event.preventDefault();
    try {
      await ask();
      this.error = null;
      this.asked.password = "";
    } catch (error) {
      this.error = error.text ?? { en: String(error), es: String(error) };
    }
    this.update();
  }

  update() {
    super.update();
    const dialog = this.querySelector("dialog");
    const wanted = Boolean(dialog?.firstChild);
    if (wanted && !dialog.open) dialog.showModal();
    else if (!wanted && dialog?.open) dialog.close();
  }
}

define("class-door", ClassDoor);
