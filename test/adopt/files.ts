import { expect } from "vitest";
import { type Adopted, type AdoptOptions, adopt } from "../../src/adopt/adopt.ts";
import { namesIn, planFiles } from "../../src/export/check.ts";
import { kinds } from "../../src/kinds/registry.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { must } from "../support/world.ts";

/** Adopts into files in memory; returns the changed files. */
export async function adopted(
  files: ReadonlyMap<string, string>,
  snapshot: Snapshot,
  choice?: AdoptOptions["choice"],
): Promise<{
  readonly files: ReadonlyMap<string, string>;
  readonly taken: readonly string[];
  readonly left: number;
  readonly unprotected: NonNullable<Adopted["unprotected"]>;
  /** Object → code of the error that the files would have with its difference. */
  readonly broken: readonly (readonly [string, string])[];
  readonly reasons: NonNullable<Adopted["reasons"]>;
  readonly renamed: NonNullable<Adopted["renamed"]>;
}> {
  const result = await adopt({
    file: "realm.yaml",
    readFile: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      return text;
    },
    listFiles: async (directory) => namesIn(files.keys(), directory),
    snapshot,
    kinds,
    ...(choice === undefined ? {} : { choice }),
  });
  const after = new Map([...files, ...result.files.map(({ file, after }) => [file, after] as const)]);
  for (const { file, before } of result.files) expect(before).toBe(files.get(file));
  const broken = [...(result.why ?? [])].map(([address, { code }]) => [address, code] as const);
  const { taken, left, unprotected = [], reasons = new Map(), renamed = [] } = result;
  return { files: after, taken, left: left.length, unprotected, broken, reasons, renamed };
}

export const one = (text: string): ReadonlyMap<string, string> => new Map([["realm.yaml", text]]);
export const planned = async (files: ReadonlyMap<string, string>, snapshot: Snapshot) =>
  must(await planFiles(files, "realm.yaml", { snapshot, kinds }));
