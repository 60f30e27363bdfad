// Everything that a release hands out, in one folder: the tarball, an SBOM (CycloneDX), checksums and the notes. Publishes nothing.
//   node scripts/release.mjs --repository OWNER/NAME --commit SHA [--ref refs/tags/v1.2.3] --out FOLDER
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const text = { type: "string" };
const { values } = parseArgs({ options: { repository: text, commit: text, ref: text, out: text } });
const { repository = "", commit = "", ref = "", out = "" } = values;
if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^[0-9a-f]{40}$/.test(commit) || out === "")
  throw new RangeError("--repository OWNER/NAME, --commit of forty digits and --out are needed");
const manifest = join(root, "package.json");
const before = readFileSync(manifest, "utf8");
const own = JSON.parse(before);
const isRelease = ref.startsWith("refs/tags/");
if (isRelease && ref !== `refs/tags/v${own.version}`)
  throw new Error(`the tag is ${ref}, package.json says ${own.version}`);

const folder = resolve(out);
mkdirSync(folder, { recursive: true });
const notes = notesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), isRelease ? own.version : "Unreleased");
writeFileSync(join(folder, "NOTES.md"), notes);

const npm = (...args) =>
  execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
// Users build nothing: npm warns about scripts of a package that it might have to run.
const { scripts: _, devDependencies: __, ...used } = own;
const released = {
  ...used,
  repository: { type: "git", url: `git+https://github.com/${repository}.git` },
  release: { action: `${repository}@${commit}`, package: `${own.name}@${own.version}` },
};
const readme = join(root, "README.md");
const readmeBefore = readFileSync(readme, "utf8");
try {
  writeFileSync(manifest, `${JSON.stringify(released, null, 2)}\n`);
  writeFileSync(readme, withAddresses(readmeBefore));
  npm("pack", "--ignore-scripts", "--silent", "--pack-destination", folder);
} finally {
  writeFileSync(manifest, before);
  writeFileSync(readme, readmeBefore);
}
writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(sbomOf(), null, 2)}\n`);

const files = [`${own.name}-${own.version}.tgz`, "sbom.cdx.json"];
const sums = files.map(
  (name) =>
    `${createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex")}  ${name}\n`,
);
writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
console.log(sums.join(""));

/** The pages that the README links to are not in the tarball: there, links lead to the pages as they were at this commit. */
function withAddresses(text) {
  return text.replaceAll(/(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, picture, label, path) => {
    const at = picture
      ? `https://raw.githubusercontent.com/${repository}/${commit}`
      : `https://github.com/${repository}/blob/${commit}`;
    return `${picture}[${label}](${at}/${path})`;
  });
}

/** What is installed with the package: `npm sbom --omit dev` would also leave out packages that a development dependency needs, too. */
function sbomOf() {
  const all = JSON.parse(npm("sbom", "--sbom-format", "cyclonedx", "--package-lock-only"));
  const workshop = new Set(["cdx:npm:package:development", "cdx:npm:package:optional"]);
  const components = all.components.filter(({ properties = [] }) => !properties.some(({ name }) => workshop.has(name)));
  const kept = new Set([all.metadata.component["bom-ref"], ...components.map((one) => one["bom-ref"])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => kept.has(ref)) }));
  return { ...all, components, dependencies };
}

/** The changelog's section about a version: its heading is the number, followed by the day. */
function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.split(/[\s\n]/)[0] === version);
  if (found === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version}"`);
  // The page itself has the number.
  return `${found.slice(found.indexOf("\n") + 1).trim()}\n`;
}
