import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";

/** The configuration in one version of the repository, and the texts that were read of it. */
export interface Files {
  readonly file: string;
  readonly readFile: (path: string) => Promise<string>;
  readonly listFiles: (directory: string) => Promise<readonly string[]>;
  /** Path → text of everything read so far. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The checkout. A link that leads out of it is refused: a pull request could show what else lies on the machine.
 */
export function workspaceFiles(workspace: string, file: string): Files {
  const texts = new Map<string, string>();
  const inside = async (path: string): Promise<string> => {
    const root = await realpath(workspace);
    const real = await realpath(resolve(root, path));
    if (real !== root && !real.startsWith(root + sep)) throw new Error("it is a link that leads out of the repository");
    // The checkout keeps the job's token in .git.
    if (real.slice(root.length).split(sep).includes(".git")) throw new Error("it is a part of .git");
    return real;
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
    listFiles: async (directory) => (await readdir(await inside(directory === "" ? "." : directory))).sort(),
  };
}

/** As a disk says it: the source tells it apart from what cannot be read. */
export function missing(): Error {
  return Object.assign(new Error("there is no such file"), { code: "ENOENT" });
}
