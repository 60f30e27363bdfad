// The default theme; the start page shows a plan beside its heading, and consoles fit a phone.
import { useData } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import "./style.css";

/** The plan that docs/start.md explains line by line. */
function Plan() {
  const { theme } = useData();
  return h("pre", { class: "plan", tabindex: 0, "aria-label": "The output of realmctl plan" }, theme.value.plan);
}

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h(Plan) }),
};
