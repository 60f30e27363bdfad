// The site in site/dist: pages, search, pictures. Ends with an error where a link, or the place on a page that it names, is not there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { build } from "vitepress";
import "./prepare.mjs";

const here = import.meta.dirname;
const dist = join(here, "dist");
const base = process.env.REALMCTL_SITE_BASE ?? "/";
await build(here);

const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
const texts = new Map(files.map((name) => [name, readFileSync(join(dist, name), "utf8")]));
const idsOf = (text) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
const ids = new Map([...texts].map(([name, text]) => [name, idsOf(text)]));
const broken = new Set();
let links = 0;
for (const [name, text] of texts)
  for (const [, href = ""] of text.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)) {
    if (/^(?:[a-z]+:|\/\/)/.test(href)) continue;
    links += 1;
    const [path = "", hash = ""] = href.replaceAll("&amp;", "&").split("#");
    const from = path.startsWith("/")
      ? path.slice(base.length)
      : path === ""
        ? name
        : normalize(join(dirname(name), path));
    const target = from === "" || from.endsWith("/") ? `${from}index.html` : from;
    if (!existsSync(join(dist, target))) broken.add(`${name}: ${href}`);
    else if (hash !== "" && ids.get(target)?.has(decodeURIComponent(hash)) === false)
      broken.add(`${name}: ${href} (no such place)`);
  }
console.log(`${files.length} pages, ${links} links`);
if (broken.size > 0) {
  console.log([...broken].join("\n"));
  process.exitCode = 1;
}
