import { didYouMean } from "../model/suggest.ts";
import { ACCESS_CODES } from "./catalogue/access.ts";
import { FILE_CODES } from "./catalogue/file.ts";
import { JOB_CODES } from "./catalogue/jobs.ts";
import { OBJECT_CODES } from "./catalogue/objects.ts";
import { ORGANIZATION_CODES } from "./catalogue/organizations.ts";
import { RUN_CODES } from "./catalogue/runs.ts";
import { SETTINGS_CODES } from "./catalogue/settings.ts";
import { TARGET_CODES } from "./catalogue/targets.ts";
import { EXAMPLES } from "./examples.ts";
import type { Catalogue, Page } from "./page.ts";

/** Every stable code with its page. A test compares it with the codes in the sources. */
const CATALOGUE: Catalogue = {
  ...FILE_CODES,
  ...OBJECT_CODES,
  ...RUN_CODES,
  ...JOB_CODES,
  ...ACCESS_CODES,
  ...SETTINGS_CODES,
  ...TARGET_CODES,
  ...ORGANIZATION_CODES,
};

/** Every code, sorted. */
export const CODES: readonly string[] = Object.keys(CATALOGUE).sort();

/** The page of a code; undefined for an unknown code. */
export function pageOf(code: string): Page | undefined {
  const entry = Object.hasOwn(CATALOGUE, code) ? CATALOGUE[code] : undefined;
  if (entry === undefined) return undefined;
  const [means, out] = entry;
  return { code, means, out, example: Object.hasOwn(EXAMPLES, code) ? EXAMPLES[code] : undefined };
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

/** The name itself, or the most similar one. */
const similar = (name: string, names: readonly string[]): string | undefined =>
  names.includes(name) ? name : didYouMean(name, names);
const folderOf = (code: string): string => code.slice(0, code.indexOf("/"));
const nameOf = (code: string): string => code.slice(code.indexOf("/") + 1);
