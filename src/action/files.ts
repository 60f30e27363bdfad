import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { MOST_UPLOAD_BYTES, type ReadUpload, type RepositoryFile } from "../model/repository-file.ts";
import { fileFacts } from "../source/file-facts.ts";

/** The configuration in one version of the repository, and the texts that were read of it. */
export interface Files {
  readonly file: string;
  readonly readFile: (path: string) => Promise<string>;
  readonly listFiles: (directory: string) => Promise<readonly string[]>;
  /** What is to be known of a picture that an entry names. */
  readonly lookAt: (path: string) => Promise<RepositoryFile>;
  /** Path → text of everything read so far. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The checkout. A link that leads out of it is refused: a pull request could show what else lies on the machine.
 */
export function workspaceFiles(workspace: string, file: string): Files & { readonly readUpload: ReadUpload } {
  const texts = new Map<string, string>();
  const inside = async (path: string): Promise<string> => {
    const root = await realpath(workspace);
    const real = await realpath(resolve(root, path));
    if (real !== root && !real.startsWith(root + sep)) throw new Error("it is a link that leads out of the repository");
    // The checkout keeps the job's token in .git.
    if (real.slice(root.length).split(sep).includes(".git")) throw new Error("it is a part of .git");
    return real;
  };
  const readUpload = async (path: string): Promise<Uint8Array> => {
    const real = await inside(path);
    const stats = await lstat(real);
    if (!stats.isFile()) throw new Error("it is no file");
    if (stats.size > MOST_UPLOAD_BYTES) throw tooLargeToSend(stats.size);
    return readFile(real);
  };
  return {
    file,
    texts,
    async readFile(path) {
      const real = await inside(path);
      if (!(await lstat(real)).isFile()) throw new Error("it is no file");
      const text = await readFile(real, "utf8");
      texts.set(path, text);
      return text;
    },
    readUpload,
    lookAt: async (path) => fileFacts(path, await readUpload(path)),
    listFiles: async (directory) => (await readdir(await inside(directory === "" ? "." : directory))).sort(),
  };
}

/** As the end of a sentence about the file. */
export function tooLargeToSend(bytes: number): Error {
  const megabytes = (size: number): number => Math.ceil(size / 1024 / 1024);
  return new Error(`it has ${megabytes(bytes)} MB, and at most ${megabytes(MOST_UPLOAD_BYTES)} MB are sent`);
}

/** Is it in this version? */
export async function hasFile(files: Files, path: string): Promise<boolean> {
  try {
    await files.readFile(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

/** As a disk says it: the source tells it apart from what cannot be read. */
export function missing(): Error {
  return Object.assign(new Error("there is no such file"), { code: "ENOENT" });
}
