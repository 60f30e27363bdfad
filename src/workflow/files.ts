import type { PlanInputs } from "../apply/plan-file.ts";
import { sha256 } from "../apply/sha256.ts";
import { defined } from "../model/defined.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import type { RepositoryFile } from "../model/repository-file.ts";
import type { LoadOptions } from "../source/load.ts";

/**
 * Reads each file once, so that planning again after an apply uses the approved content, and keeps it for saving the plan.
 */
export class KeptFiles {
  readonly loadOptions: LoadOptions;
  private readonly texts = new Map<string, Promise<string | Uint8Array>>();
  private readonly contents: { readonly path: string; readonly text: string }[] = [];
  private readonly lists = new Map<string, readonly string[]>();
  private readonly uploadFacts = new Map<string, Promise<RepositoryFile>>();
  private readonly uploads: RepositoryFile[] = [];
  private readonly outside: OutsideValues | undefined;
  private readonly environment = new Map<string, string>();
  private readonly located = new Map<string, string>();

  constructor(options: LoadOptions) {
    const { listFiles, lookAt, outside, placeOf } = options;
    this.outside = outside;
    this.loadOptions = {
      ...options,
      readFile: (path) => this.read(path, options.readFile),
      ...defined({
        listFiles: listFiles === undefined ? undefined : (directory: string) => this.list(directory, listFiles),
        lookAt: lookAt === undefined ? undefined : (path: string) => this.factsOf(path, lookAt),
        placeOf: placeOf && ((directory: string) => this.locate(directory, placeOf)),
        outside: outside && { ...outside, environment: (name: string) => this.ask(name, outside) },
      }),
    };
  }

  /** SHA-256 of every file in the order of reading. */
  hash(): string {
    const uploads = this.uploads.map((file) => file.sha256);
    const { outside } = this.values;
    const given = outside === undefined ? [] : [sha256(JSON.stringify(outside))];
    return sha256([...this.contents.map(({ text }) => sha256(text)), ...uploads, ...given].join("\n"));
  }

  /** The files and directories that were read, in the order of reading. */
  get kept(): Pick<PlanInputs, "files" | "directories" | "uploads" | "outside" | "places"> {
    const places = [...this.located].map(([directory, place]) => ({ directory, place }));
    return {
      files: [...this.contents],
      directories: [...this.lists].map(([path, names]) => ({ path, names })),
      ...defined({
        uploads: this.uploads.length === 0 ? undefined : [...this.uploads],
        places: places.length === 0 ? undefined : places,
      }),
      ...this.values,
    };
  }

  /** The values from outside that count: none of the environment that nothing refers to. */
  private get values(): Pick<PlanInputs, "outside"> {
    const { set = [], files = [] } = this.outside ?? {};
    const environment = [...this.environment].map(([name, text]) => ({ name, text }));
    const given = [set, files, environment].some(({ length }) => length > 0);
    const kept = {
      set: set.length === 0 ? undefined : set,
      files: files.length === 0 ? undefined : files,
      environment: environment.length === 0 ? undefined : environment,
    };
    return given ? { outside: defined(kept) } : {};
  }

  private async locate(directory: string, placeOf: (directory: string) => Promise<string>): Promise<string> {
    const place = this.located.get(directory) ?? (await placeOf(directory));
    this.located.set(directory, place);
    return place;
  }

  /** A variable of the environment, whose value is asked for when something refers to it. */
  private ask(name: string, { environment }: OutsideValues): string | undefined {
    const text = this.environment.get(name) ?? environment?.(name);
    if (text !== undefined) this.environment.set(name, text);
    return text;
  }

  private factsOf(path: string, lookAt: (path: string) => Promise<RepositoryFile>): Promise<RepositoryFile> {
    const known = this.uploadFacts.get(path);
    if (known !== undefined) return known;
    const facts = lookAt(path).then((file) => {
      this.uploads.push(file);
      return file;
    });
    this.uploadFacts.set(path, facts);
    return facts;
  }

  private read(path: string, readFile: LoadOptions["readFile"]): Promise<string | Uint8Array> {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    const text = readFile(path).then((content) => {
      this.contents.push({ path, text: typeof content === "string" ? content : Buffer.from(content).toString("utf8") });
      return content;
    });
    this.texts.set(path, text);
    return text;
  }

  private async list(
    directory: string,
    listFiles: (directory: string) => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const names = this.lists.get(directory) ?? (await listFiles(directory));
    this.lists.set(directory, names);
    return names;
  }
}

/** The files of a saved plan, as planning reads them; a file that it does not hold did not exist. */
export function filesOf({ file, files, directories, uploads = [], outside, places = [] }: PlanInputs): LoadOptions {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const lists = new Map(directories.map(({ path, names }) => [path, names]));
  const { environment = [], ...given } = outside ?? {};
  return {
    file,
    placeOf: async (asked) => places.find(({ directory }) => directory === asked)?.place ?? "",
    outside: { ...given, environment: (asked) => environment.find(({ name }) => name === asked)?.text },
    readFile: async (path) => found(texts.get(path), path),
    listFiles: async (directory) => found(lists.get(directory), directory),
    lookAt: async (path) =>
      found(
        uploads.find((upload) => upload.path === path),
        path,
      ),
  };
}

function found<T>(value: T | undefined, path: string): T {
  if (value !== undefined) return value;
  throw Object.assign(new Error(`ENOENT: the saved plan does not hold ${path}`), { code: "ENOENT" });
}
