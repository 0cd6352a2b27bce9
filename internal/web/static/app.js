import { h, render } from "preact";

render(h("h1", null, "terse"), document.getElementById("app"));
