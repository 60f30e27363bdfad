import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";

const pages = join(import.meta.dirname, ".pages");

/** Pages of a folder by their first headings. */
function pagesOf(folder) {
  return readdirSync(join(pages, folder))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => {
      const heading = /^# (.*)$/m.exec(readFileSync(join(pages, folder, name), "utf8"))?.[1] ?? name;
      return { text: heading.replaceAll("`", ""), link: `/${folder}/${name.slice(0, -3)}` };
    });
}

/** The first lines of the plan that the page "start" explains, without the columns between a line and its place in the file. */
function planOfStart() {
  const text = readFileSync(join(import.meta.dirname, "../docs/start.md"), "utf8");
  const block = /realm\.yaml -->\n```console\n(\$ realmctl plan\n[\s\S]*?)```/.exec(text)?.[1];
  if (block === undefined) throw new Error("docs/start.md shows no plan");
  const lines = block.split("\n");
  return lines
    .slice(0, PLAN_LINES)
    .map((line) => line.replace(/ {3,}(?=\S+:\d+\S*$)/, "  "))
    .concat("…")
    .join("\n");
}
const PLAN_LINES = 26;

const page = (text, link) => ({ text, link });
const group = (text, items, collapsed = false) => ({ text, items, collapsed });

const SIDEBAR = [
  group("Start", [
    page("Install, first file, first plan", "/start"),
    page("The path to production", "/production"),
    page("Compared with Terraform, octoDNS, …", "/comparison"),
  ]),
  group("Guide", [
    page("Writing the file", "/writing"),
    page("From an organization to a file", "/adopting"),
    page("Applying and undoing", "/applying"),
    page("Who may do what; rules", "/access"),
    page("Guard rails", "/policy"),
    page("In CI", "/ci"),
    page("Reports and files", "/reports"),
    page("The sandbox, rehearsals", "/sandbox"),
    page("Security", "/security"),
  ]),
  group("Reference", [
    page("Sections and fields", "/reference/"),
    page("Commands", "/reference/commands"),
    page("Exit codes", "/reference/exit-codes"),
    page("Error codes", "/diagnostics/"),
    page("Environment variables", "/reference/environment"),
    page("Limits", "/reference/limits"),
    page("Feature levels", "/reference/levels"),
    page("Glossary", "/reference/glossary"),
    page("Changelog", "/changelog"),
    page("Report a vulnerability", "/report"),
  ]),
  group(
    "Inside",
    [
      page("For developers", "/internals/"),
      page("The library", "/internals/library"),
      page("Threats and their tests", "/internals/threats"),
      page("What was tested, and where", "/internals/tested"),
      page("One channel through the code", "/internals/lifecycle"),
      page("What Zulip servers do", "/internals/zulip-api"),
      page("Contributing", "/contributing"),
      page("Performance", "/bench"),
      page("Decisions", "/internals/decisions/"),
      page("Every page", "/pages"),
    ],
    true,
  ),
];

export default defineConfig({
  title: "realmctl",
  description: "Configuration as code for Zulip organizations",
  lang: "en",
  srcDir: ".pages",
  outDir: "./dist",
  cacheDir: "./.cache",
  base: process.env.REALMCTL_SITE_BASE ?? "/",
  cleanUrls: false,
  // A link that leads nowhere ends the build.
  ignoreDeadLinks: false,
  markdown: {
    attrs: { disable: true },
    // Places have the names that GitHub gives them: the pages link to each other that way.
    anchor: {
      slugify: (text) =>
        text
          .trim()
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, "")
          .replaceAll(" ", "-"),
    },
  },
  themeConfig: {
    plan: planOfStart(),
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [
      page("Start", "/start"),
      page("Production", "/production"),
      page("Manual", "/writing"),
      page("Reference", "/reference/"),
      page("Security", "/security"),
    ],
    sidebar: {
      // A list of thirty only where it is looked for: it stands in the HTML of each page.
      "/internals/decisions/": [...SIDEBAR, group("Decisions", pagesOf("internals/decisions"))],
      "/": SIDEBAR,
    },
  },
});
