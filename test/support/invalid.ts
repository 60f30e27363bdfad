import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** A file with errors below test/invalid, in the folder of the first code that it expects: `field/value/a-name.yaml`. */
export interface InvalidCase {
  readonly name: string;
  /** The folder of the code, from test/invalid. */
  readonly code: string;
  /** Its absolute path. */
  readonly directory: string;
  /** Relative to that folder: `a-name.yaml`, or `a-name/realm.yaml` for a file with includes. */
  readonly file: string;
  readonly text: string;
}

export const INVALID = join(import.meta.dirname, "../invalid");

/** Every case, in any folder; files without expectations are included by others. */
export function invalidCases(root: string = INVALID): readonly InvalidCase[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yaml"))
    .sort()
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      if (!/^# expect: /m.test(text)) return [];
      const whole = path.endsWith(`${sep}realm.yaml`) ? dirname(path) : path;
      const directory = join(root, dirname(whole));
      return [
        {
          name: whole.replace(/\.yaml$/, ""),
          code: dirname(whole).replaceAll(sep, "/"),
          directory,
          file: relative(directory, join(root, path)),
          text,
        },
      ];
    });
}
