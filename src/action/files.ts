import { resolve } from "node:path";
import { listDirectory, readRegular, readRegularBytes } from "../disk/read.ts";
import { MOST_UPLOAD_BYTES, type ReadUpload, type RepositoryFile } from "../model/repository-file.ts";
import { fileFacts } from "../source/file-facts.ts";
import { LARGEST_FILE_BYTES } from "../source/limits.ts";
import type { LoadOptions } from "../source/load.ts";
import { isAbsent } from "../workflow/base.ts";

/** The configuration in one version of the repository, and the texts that were read from it. */
export interface Files extends Pick<LoadOptions, "file" | "placeOf" | "outside"> {
  readonly readFile: (path: string) => Promise<string>;
  readonly listFiles: (directory: string) => Promise<readonly string[]>;
  /** Returns the facts about a picture that an entry names. */
  readonly lookAt: (path: string) => Promise<RepositoryFile>;
  /** Path → text of everything read so far. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Where one version of the repository is read from. */
interface FileSource {
  text(path: string): Promise<string>;
  /** Reads a picture, which is sent to a server. */
  upload(path: string): Promise<Uint8Array>;
  names(directory: string): Promise<readonly string[]>;
}

/** The configuration in a source. Its texts are kept when they are read. */
export function filesFrom(source: FileSource, file: string): Files {
  const texts = new Map<string, string>();
  return {
    file,
    texts,
    // Paths start at the top of the repository.
    placeOf: async (directory) => directory,
    readFile: async (path) => {
      const text = await source.text(path);
      texts.set(path, text);
      return text;
    },
    listFiles: (directory) => source.names(directory),
    lookAt: async (path) => fileFacts(path, await source.upload(path)),
  };
}

/**
 * The checkout. A link that leads outside is refused: a pull request could use it to show other files of the machine.
 */
export function workspaceFiles(workspace: string, file: string): Files & { readonly readUpload: ReadUpload } {
  const at = (path: string): string => resolve(workspace, path);
  const readUpload = (path: string): Promise<Uint8Array> =>
    readRegularBytes(at(path), { below: workspace, mostBytes: MOST_UPLOAD_BYTES });
  const source: FileSource = {
    text: (path) => readRegular(at(path), { below: workspace, mostBytes: LARGEST_FILE_BYTES }),
    upload: readUpload,
    names: (directory) => listDirectory(at(directory === "" ? "." : directory), { below: workspace }),
  };
  return { ...filesFrom(source, file), readUpload, placeOf: (directory) => placeBelow(workspace, directory) };
}

/** A repository can be checked out into a directory of the workspace, beside others that are none of its business. */
async function placeBelow(workspace: string, directory: string): Promise<string> {
  const parts = directory.split("/").filter((part) => part !== "" && part !== ".");
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const names: readonly string[] = await listDirectory(resolve(workspace, ...parts.slice(0, depth)), {
      below: workspace,
    }).catch(() => []);
    if (names.includes(".git")) return parts.slice(depth).join("/");
  }
  return parts.join("/");
}

/** Whether this version has the file. */
export const hasFile = async (files: Files, path: string): Promise<boolean> =>
  !(await isAbsent({ ...files, file: path }));
