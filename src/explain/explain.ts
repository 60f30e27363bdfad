import { definitions } from "../model/diagnostics/definitions.ts";
import { didYouMean } from "../model/suggest.ts";
import EXAMPLES from "./examples.json" with { type: "json" };

const DEFINITIONS = new Map(definitions());

/** Code → a file with that error, and the report about it: from test/invalid and the kinds' cases, by `npm run generate`. */
const examples: { readonly [code: string]: Example } = EXAMPLES;

/** Every code, sorted. */
export const CODES: readonly string[] = [...DEFINITIONS.keys()];

export function pageOf(code: string): Page | undefined {
  const definition = DEFINITIONS.get(code);
  if (definition === undefined) return undefined;
  const { means, out } = definition;
  return { code, means, out, example: Object.hasOwn(examples, code) ? examples[code] : undefined };
}

/** The codes or the folder of codes that somebody most likely meant: `unknown-group` alone, in another folder, or misspelt. */
export function codesMeant(written: string): readonly string[] {
  // Cut off while it was copied.
  const [started] = CODES.filter((code) => code.startsWith(written));
  if (written.includes("/") && started !== undefined) return [started];
  const [folder = "", name = folder] = written.split("/");
  const folders = [...new Set(CODES.map(folderOf))];
  const known = similar(folder, folders);
  const inFolder = CODES.filter((code) => folderOf(code) === known);
  for (const codes of [inFolder, CODES]) {
    const near = similar(name, codes.map(nameOf));
    const found = codes.filter((code) => nameOf(code) === near);
    if (found.length > 0) return found;
  }
  return known === undefined ? [] : [known];
}

const similar = (name: string, names: readonly string[]): string | undefined =>
  names.includes(name) ? name : didYouMean(name, names);
const folderOf = (code: string): string => code.slice(0, code.indexOf("/"));
const nameOf = (code: string): string => code.slice(code.indexOf("/") + 1);

export interface Example {
  /** The file with the error; undefined where no single file shows it. */
  readonly file: string;
  /** The output of realmctl about the file. */
  readonly output: string;
}

export interface Page {
  readonly code: string;
  readonly means: string;
  readonly out: string;
  readonly example: Example | undefined;
}

/** The title of a page in lists: the first sentence, up to a colon outside of code. */
export function titleOf({ means }: Pick<Page, "means">): string {
  return /^(?:`[^`]*`|[^`])*?[.:](?= |$)/.exec(means)?.[0].replace(/:$/, ".") ?? means;
}

/** The page as Markdown, for docs/diagnostics/ and for a terminal. */
export function pageText({ code, means, out, example }: Page): string {
  const shown =
    example === undefined
      ? ""
      : `## Example\n\n\`\`\`yaml\n${example.file.trimEnd()}\n\`\`\`\n\n\`\`\`text\n${example.output.trimEnd()}\n\`\`\`\n\n`;
  return `# ${code}\n\n${means}\n\n${shown}## Way out\n\n${out}\n`;
}
