import { define, h, View } from "../view.js";
class ReplayScreen extends View { render() { return h("div", {}); } }
define("replay-screen", ReplayScreen);
