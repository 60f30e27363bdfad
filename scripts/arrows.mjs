// Turns CONTRIBUTING.md's table of folders into rules for dependency-cruiser: one text for people and for the check.

/** Every folder may import these. */
const FOR_ALL = ["^src/model/", String.raw`^src/version\.ts$`];

/**
 * @typedef {object} Arrow
 * @property {string} folder as the table writes it: `src/plan/`, `src/kinds/<kind>/`, `src/index.ts`
 * @property {readonly string[]} mayImport the words in backticks in its last column
 */

/**
 * The rows of the table whose first cell names a part of `src/`.
 * @param {string} markdown
 * @returns {readonly Arrow[]}
 */
export function arrowsOf(markdown) {
  return markdown.split("\n").flatMap((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    const folder = /^`(src\/[^`]+)`$/.exec(cells[1] ?? "")?.[1];
    if (folder === undefined || cells.length !== 5) return [];
    return [{ folder, mayImport: [...(cells[3] ?? "").matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? "") }];
  });
}

const escaped = (text) => text.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * The files that a first cell means. `src/kinds/` means only the files directly in it if `src/kinds/<kind>/` has a row of its own.
 * @param {string} folder
 * @param {readonly string[]} all
 */
export function patternOf(folder, all = []) {
  if (!folder.endsWith("/")) return `^${escaped(folder).replaceAll("*", "[^/]*")}$`;
  if (folder.endsWith("/<kind>/")) return `^${escaped(folder.slice(0, -"<kind>/".length))}([^/]+)/`;
  const isAround = all.includes(`${folder}<kind>/`);
  return `^${escaped(folder)}${isAround ? "[^/]+$" : ""}`;
}

/** @param {string} word @param {readonly string[]} folders */
function targetOf(word, folders) {
  if (word === "src/") return "^src/";
  if (word === "node:*") return String.raw`^(?!src/|node_modules/)[\w/:]+$`;
  if (word.startsWith("node:")) return `^(?:node:)?${escaped(word.slice("node:".length))}$`;
  const folder = folders.find((each) => each === `src/${word}` || each === `src/${word}/`);
  return folder === undefined
    ? `^node_modules/${escaped(word)}/`
    : patternOf(folder, folders).replace("([^/]+)", "[^/]+");
}

/**
 * A rule for each row refuses every import from outside the row's own folder, `model` and its last column, packages and Node's modules included. A
 * file of `src/` without a row may import nothing, so that a new folder gets its row.
 * @param {readonly Arrow[]} arrows
 */
export function rulesOf(arrows) {
  const folders = arrows.map(({ folder }) => folder);
  const rules = arrows.map(({ folder, mayImport }) => {
    const from = patternOf(folder, folders);
    // Means the same kind, not any kind: dependency-cruiser inserts the group that `from` matched.
    const own = from.replace("([^/]+)", "$1");
    return {
      name: `only-what-CONTRIBUTING-says:${folder}`,
      severity: "error",
      from: { path: from },
      to: { pathNot: [own, ...FOR_ALL, ...mayImport.map((word) => targetOf(word, folders))] },
    };
  });
  return [
    ...rules,
    {
      name: "no-row-in-CONTRIBUTING",
      severity: "error",
      from: { path: "^src/", pathNot: [...folders.map((folder) => patternOf(folder, folders)), ...FOR_ALL] },
      to: {},
    },
  ];
}
