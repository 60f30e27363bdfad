import { type LoadOptions, loadDocument } from "../source/load.ts";
import { directoryOf, join } from "../source/paths.ts";

/** A file, and the files of other organizations that include it; none if it is only known to be outside of the organization's directory. */
export interface SharedFile {
  readonly file: string;
  readonly by: readonly string[];
}

/**
 * Which of these files are for others, too: the files of the organization's directory are asked whether they include it, and a file outside of it
 * belongs to the repository, whoever includes it there.
 */
export async function sharedFiles(options: LoadOptions, files: readonly string[]): Promise<readonly SharedFile[]> {
  const { file: main, listFiles } = options;
  if (files.length === 0 || listFiles === undefined) return [];
  const directory = directoryOf(main);
  const names = await listFiles(directory || ".").catch(() => []);
  const others = names
    .filter((name) => /.\.ya?ml$/i.test(name))
    .map((name) => join(directory, name))
    .filter((name) => name !== main)
    .sort();
  const by = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const other of others) {
    const read = new Set<string>();
    const readFile = (path: string): ReturnType<typeof options.readFile> => {
      read.add(path);
      return options.readFile(path);
    };
    await loadDocument({ ...options, file: other, readFile });
    for (const path of read) if (path !== other) by.get(path)?.push(other);
  }
  return [...by].flatMap(([file, found]) =>
    found.length > 0 || isOutside(directory, file) ? [{ file, by: found }] : [],
  );
}

function isOutside(directory: string, file: string): boolean {
  const [above, path] = [plain(directory), plain(file)];
  return above === "" ? path.startsWith("../") : !path.startsWith(`${above.replace(/\/$/, "")}/`);
}

const plain = (path: string): string => path.replace(/^(\.(\/|$))+/, "");
