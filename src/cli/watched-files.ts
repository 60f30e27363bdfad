import type { Io } from "./io.ts";

/** The files that the last reading used, and whether they are still the same. */
export class WatchedFiles {
  /** Reads files, and remembers them. */
  readonly io: Io;
  private readonly process: Io;
  /** How each file and directory was read, and what was in it; undefined: it could not be read. */
  private readonly used = new Map<
    string,
    { readonly again: () => Promise<string>; readonly found: string | undefined }
  >();

  constructor(io: Io) {
    this.process = io;
    this.io = {
      ...io,
      readFile: (path, rules, use) =>
        this.watched(
          `file ${path}`,
          () => io.readFile(path, rules, "look"),
          () => io.readFile(path, rules, use),
        ),
      list: (path, rules) => {
        const again = async () => (await io.list(path, rules)).join("\n");
        return this.watched(`list ${path}`, again, () => io.list(path, rules));
      },
    };
  }

  /** Before everything is read again. */
  forget(): void {
    this.used.clear();
  }

  /** Looks again and again, and calls back once when something changed. @returns a function that ends it */
  whenChanged(everyMs: number, onChange: () => void): () => void {
    let isOver = false;
    let cancel = () => {};
    const next = (): void => {
      cancel = this.process.alarm(everyMs, async () => {
        if (await this.isChanged()) {
          if (!isOver) onChange();
        } else if (!isOver) next();
      });
    };
    next();
    return () => {
      isOver = true;
      cancel();
    };
  }

  private async isChanged(): Promise<boolean> {
    for (const { again, found } of [...this.used.values()]) if ((await nowIn(again)) !== found) return true;
    return false;
  }

  private async watched<T extends string | readonly string[]>(
    key: string,
    again: () => Promise<string>,
    read: () => Promise<T>,
  ): Promise<T> {
    try {
      const value = await read();
      this.used.set(key, { again, found: typeof value === "string" ? value : value.join("\n") });
      return value;
    } catch (thrown) {
      this.used.set(key, { again, found: undefined });
      throw thrown;
    }
  }
}

/** What is there now; undefined if it cannot be read. */
const nowIn = (again: () => Promise<string>): Promise<string | undefined> => again().catch(() => undefined);
