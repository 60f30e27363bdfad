import { dirname, relative, resolve } from "node:path";
import { defined } from "../model/defined.ts";
import { MOST_UPLOAD_BYTES, type ReadUpload } from "../model/repository-file.ts";
import { NotReadable } from "../model/unreadable.ts";
import { fileFacts } from "../source/file-facts.ts";
import { LARGEST_FILE_BYTES } from "../source/limits.ts";
import type { LoadOptions } from "../source/load.ts";
import { directoryOf } from "../source/paths.ts";
import { type Io, STANDARD_INPUT } from "./io.ts";
import { ownFormat } from "./write-files.ts";

/**
 * How a configuration and its includes are read: regular files of limited size, and nothing to which a link outside of the file's directory leads, or of
 * its repository if an include does.
 * Messages may quote their lines.
 * @param file as the command line names it
 * @param policy a second file that the command line names: its includes are below its own directory
 */
export function configurationFiles(
  io: Pick<Io, "readFile" | "readBytes" | "list"> & Partial<Pick<Io, "cwd" | "invocation">>,
  file: string,
  policy?: string,
): LoadOptions & { readonly readUpload: ReadUpload; readonly policyFile?: string } {
  const cwd = io.cwd ?? ".";
  const roots = [file, ...(policy === undefined ? [] : [policy])].map(rootOf);
  const repositories: string[] = [];
  const rootFor = (path: string): string =>
    roots.find((root) => isBelow(path, root)) ??
    repositories.find((root) => isBelow(resolve(cwd, path), root)) ??
    (dirname(path) === "" ? "." : dirname(path));
  const readUpload = (path: string): Promise<Uint8Array> =>
    io.readBytes(path, { below: rootOf(file), mostBytes: MOST_UPLOAD_BYTES });
  const outside = io.invocation?.outside;
  return {
    file,
    ...defined({ outside, policyFile: policy }),
    readUpload,
    async placeOf(directory) {
      const whole = resolve(cwd, directory);
      const root = await repositoryOf(io, whole);
      if (root === undefined) return "";
      repositories.push(root);
      return relative(root, whole).replaceAll("\\", "/");
    },
    lookAt: async (path) => fileFacts(path, await readUpload(path)),
    async readFile(path) {
      const text = await io.readFile(path, { below: rootFor(path), mostBytes: LARGEST_FILE_BYTES }, "configuration");
      const own = ownFormat(text);
      if (own !== undefined) throw new NotReadable({ is: "written-by-us", what: own });
      return text;
    },
    listFiles: (directory) => io.list(directory, { below: rootFor(`${directory}/x`) }),
  };
}

/** The nearest directory above that has a `.git`: a checkout, a worktree or a submodule. */
async function repositoryOf(io: Pick<Io, "list">, directory: string): Promise<string | undefined> {
  const names: readonly string[] = await io.list(directory).catch(() => []);
  if (names.includes(".git")) return directory;
  return dirname(directory) === directory ? undefined : repositoryOf(io, dirname(directory));
}

/** The directory of a file, which its includes may not leave. */
const rootOf = (file: string): string =>
  file === STANDARD_INPUT ? "." : directoryOf(file.replaceAll("\\", "/")) || ".";

const isBelow = (path: string, root: string): boolean =>
  root === "."
    ? !/^([/\\]|[A-Za-z]:|\.\.(?:[/\\]|$))/.test(path)
    : path.startsWith(root.endsWith("/") ? root : `${root}/`);
