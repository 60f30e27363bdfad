import { basename, dirname, extname, join } from "node:path";
import { loadDocument } from "../../source/load.ts";
import { configurationFiles } from "../configuration-files.ts";
import type { Io } from "../io.ts";

/** A file, and the files of other organizations that include it. */
interface SharedFile {
  readonly file: string;
  readonly by: readonly string[];
}

/** Which of these files others in the directory of the organization's file include, too: what is written there is for them as well. */
export async function sharedFiles(io: Io, main: string, files: readonly string[]): Promise<readonly SharedFile[]> {
  if (files.length === 0) return [];
  const directory = dirname(main);
  const names = await io.list(directory, { below: directory }).catch(() => []);
  const others = names.filter((name) => /^\.ya?ml$/i.test(extname(name)) && name !== basename(main)).sort();
  const by = new Map<string, string[]>(files.map((file) => [join(file), []]));
  for (const other of others.map((name) => join(directory, name))) {
    const options = configurationFiles(io, other);
    const read = new Set<string>();
    const readFile = (path: string): ReturnType<typeof options.readFile> => {
      read.add(join(path));
      return options.readFile(path);
    };
    await loadDocument({ ...options, readFile });
    for (const path of read) if (path !== other) by.get(path)?.push(other);
  }
  return [...by].flatMap(([file, found]) => (found.length === 0 ? [] : [{ file, by: found }]));
}
