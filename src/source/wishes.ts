import type { Diagnostic, Path } from "../model/diagnostic.ts";
import { didYouMean } from "../model/suggest.ts";
import { isTree, type Tree } from "./tree.ts";

/** One entry of `include:`. */
export interface Wish {
  /** As written: a file, or a pattern of several. */
  readonly wanted: string;
  /** That no file is there, or none matches, is no mistake. */
  readonly optional: boolean;
  /** Where in the file the path stands. */
  readonly path: Path;
}

/** What is wrong with an entry, and where. */
export interface WishProblem {
  readonly code: Diagnostic["code"];
  readonly path: Path;
  readonly on?: "key";
  readonly message: string;
  readonly hint: string;
}

const FIELDS = ["path", "optional"];

/** The entries of a file's `include:`: a path, `{path: …, optional: true}`, or a list of these. */
export function wishesOf(tree: Tree): { readonly wishes: readonly Wish[]; readonly problems: readonly WishProblem[] } {
  const wishes: Wish[] = [];
  const problems: WishProblem[] = [];
  if (!Object.hasOwn(tree, "include")) return { wishes, problems };
  const { include } = tree;
  if (typeof include !== "string" && !Array.isArray(include) && !isTree(include)) {
    const message = "include is a list of files";
    const hint = "write include: [channels/*.yaml]";
    return { wishes, problems: [{ code: "include/not-a-list", path: ["include"], message, hint }] };
  }
  const list: readonly unknown[] = Array.isArray(include) ? include : [include];
  for (const [index, wanted] of list.entries()) {
    const path = Array.isArray(include) ? ["include", index] : ["include"];
    const read = wishOf(wanted, path);
    if ("wanted" in read) wishes.push(read);
    else problems.push(read);
  }
  return { wishes, problems };
}

function wishOf(wanted: unknown, path: Path): Wish | WishProblem {
  const problem = (at: Path, message: string, hint: string, code: WishProblem["code"] = "include/not-a-list") => ({
    code,
    path: at,
    message,
    hint,
  });
  if (typeof wanted === "string") return flawOf(wanted, path) ?? { wanted, optional: false, path };
  if (!isTree(wanted))
    return problem(path, "an include is the path of a file", "put the path in quotes if it looks like a number");
  const unknown = Object.keys(wanted).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    const meant = /^files?$/.test(unknown) ? "path" : didYouMean(unknown, FIELDS);
    const hint = meant === undefined ? "write {path: channels/*.yaml, optional: true}" : `did you mean "${meant}"?`;
    return { ...problem([...path, unknown], `an include has no field ${JSON.stringify(unknown)}`, hint), on: "key" };
  }
  const { path: file, optional = false } = wanted;
  if (typeof file !== "string")
    return problem(path, "an include needs the path of a file", "write {path: channels/*.yaml, optional: true}");
  if (typeof optional !== "boolean")
    return problem([...path, "optional"], "optional is true or false", "write optional: true, or take it out");
  return flawOf(file, [...path, "path"]) ?? { wanted: file, optional, path: [...path, "path"] };
}

function flawOf(wanted: string, path: Path): WishProblem | undefined {
  if (wanted.trim() === "")
    return {
      code: "include/not-a-list",
      path,
      message: "the path of an include is empty",
      hint: "write the path of a file, or take the entry out",
    };
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(wanted)) return undefined;
  return {
    code: "include/url",
    path,
    message: "an include is a file below the main file's directory: addresses on the web are not read",
    hint: "keep a copy of that file in the repository, so that its changes are reviewed, and include the copy",
  };
}
