// The pages of docs/ (and the few files beside it that they lead to) as VitePress takes them, in site/.pages. Links that leave the documentation lead to the
// repository, where its address is known (REALMCTL_REPOSITORY=owner/name), and are plain text where it is not.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const pages = join(import.meta.dirname, ".pages");
const repository = process.env.REALMCTL_REPOSITORY;
rmSync(pages, { recursive: true, force: true });

const dotted = (path) => (path.startsWith(".") ? path : `./${path}`);

/** File of the repository → page. */
const targets = new Map(
  readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => [join("docs", name), name.replace(/(^|\/)README\.md$/, "$1index.md")]),
);
// The start page is the site's own; the index of docs/ is a page of it.
for (const [file, page] of targets) {
  const [, area, code] = /^diagnostics\/([^/]+)\/([^/]+)\.md$/.exec(page) ?? [];
  if (code !== undefined) targets.set(file, `diagnostics/${area}.md#${area}${code}`);
}
targets.set("docs/README.md", "pages.md");
targets.set("README.md", "readme.md");
for (const name of ["CONTRIBUTING.md", "CHANGELOG.md"]) targets.set(name, name.toLowerCase());
targets.set("SECURITY.md", "report.md");
targets.set("bench/README.md", "bench.md");
targets.set("src/sandbox/README.md", "sandbox-differences.md");

/** Page → its texts: the codes of an area are one page, since each page costs a reader's search and the build. */
const texts = new Map();
for (const [file, page] of targets) {
  const [to = "", place] = page.split("#");
  const text = pageOf(readFileSync(join(root, file), "utf8"), file, to);
  texts.set(to, [...(texts.get(to) ?? []), place === undefined ? text : text.replace(/^(?=#+ )/gm, "#")]);
}
for (const [page, parts] of texts) {
  const to = join(pages, page);
  mkdirSync(dirname(to), { recursive: true });
  const area = /^diagnostics\/(?!index)(.*)\.md$/.exec(page)?.[1];
  writeFileSync(to, `${area === undefined ? "" : `# ${area}\n\n`}${parts.join("\n")}`);
}
cpSync(join(root, "docs/public"), join(pages, "public"), { recursive: true });
cpSync(join(import.meta.dirname, "index.md"), join(pages, "index.md"));

/** Links of files become links of pages; fenced blocks stay as they are. */
function pageOf(text, file, page) {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) =>
      part.startsWith("```")
        ? // A place in the file is at the edge of a terminal: a page is as wide as its reader's.
          part.replace(/ {3,}(?=\S+\.yaml:\d+\S*$)/gm, "  ")
        : outsideOfBlocks(part, file, page),
    )
    .join("");
}

function outsideOfBlocks(text, file, page) {
  return (
    text
      .replace(/<!--[\s\S]*?-->\n?/g, "")
      // A page has no HTML of its own: <file> is a word.
      .replace(/(`+)[\s\S]*?\1|<(?=[a-zA-Z/!])/g, (found) => (found === "<" ? "&lt;" : found))
      // Vue would take what stands between doubled braces for a program.
      .replace(
        /`([^`\n]*(?:\{\{|\}\})[^`\n]*)`/g,
        (_, code) => `<code v-pre>${code.replace(/[&<>]/g, (one) => `&#${one.codePointAt(0)};`)}</code>`,
      )
      .replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, image, words, target) => {
        if (/^(?:[a-z]+:|#)/.test(target)) return whole;
        const [path = "", hash] = target.split("#");
        const linked = join(dirname(file), path);
        if (image !== "")
          return `![${words}](${relative(dirname(page), linked.replace("docs/public/", "public/")).replace(/^(\.\.\/)*public\//, "/")})`;
        const known = targets.get(linked) ?? targets.get(join(linked, "README.md"));
        const [to, place = hash] = known?.split("#") ?? [];
        const anchor = place === undefined ? "" : `#${place}`;
        if (to !== undefined) return `[${words}](${dotted(relative(dirname(page), to))}${anchor})`;
        if (!existsSync(join(root, linked))) throw new Error(`${file} leads to ${target}, which is not there`);
        return repository === undefined
          ? words
          : `[${words}](https://github.com/${repository}/blob/main/${linked}${anchor})`;
      })
  );
}
