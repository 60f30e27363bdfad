import { readConfig } from "../config/read-config.ts";
import { defined } from "../model/defined.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { OmissionReason } from "../model/export-facts.ts";
import type { Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { missing } from "../model/unreadable.ts";
import { planChanges } from "../plan/plan.ts";
import { directoryOf, join } from "../source/paths.ts";
import { VERSION } from "../version.ts";
import type { ExportOptions } from "./options.ts";
import { pictureFilesOf } from "./pictures.ts";

export interface UnsetField {
  readonly section: string;
  readonly name: string;
  readonly field: string;
}

interface Obstacle {
  readonly line: number | undefined;
  readonly reason: OmissionReason;
  /** A field that the file leaves out, and whose value differs from the one to which it would be set. */
  readonly unset?: UnsetField;
}

/** Why the plan of the files is not empty on their own realm. */
export async function obstaclesOf(
  files: ReadonlyMap<string, string>,
  file: string,
  options: ExportOptions,
): Promise<readonly Obstacle[]> {
  const planned = await planFiles(files, file, options);
  const refused = (found: readonly Diagnostic[]): readonly Obstacle[] =>
    found
      .filter(({ severity }) => severity === "error")
      .map((diagnostic) => ({ line: diagnostic.at?.line, reason: { is: "refused", by: diagnostic } }));
  if (!planned.ok) return refused(planned.diagnostics);
  // A name that does not resolve does not end a plan, but what it stands in is not compared.
  return [
    ...refused(planned.value.warnings),
    ...planned.value.changes.flatMap((change): Obstacle[] => {
      const reason = { is: "differs" } as const;
      const section = options.kinds.find(({ name }) => name === change.kind)?.section ?? "";
      const fields = change.fields.map(({ at, field, unset }) => ({
        line: (at ?? change.at)?.line,
        reason,
        ...defined({ unset: unset === true ? { section, name: change.name, field } : undefined }),
      }));
      return fields.length > 0 ? fields : [{ line: change.at?.line, reason }];
    }),
  ];
}

/** A plan for files that are not on a disk. */
export async function planFiles(
  files: ReadonlyMap<string, string>,
  file: string,
  { snapshot, kinds, pictures }: Pick<ExportOptions, "snapshot" | "kinds" | "pictures">,
): Promise<Checked<Plan>> {
  const base = directoryOf(file);
  const beside = new Map(
    [...pictureFilesOf(pictures ?? new Map())].map(([path, picture]) => [join(base, path), picture]),
  );
  const desired = await readConfig({
    file,
    readFile: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw missing();
      return text;
    },
    listFiles: async (directory) => namesIn(files.keys(), directory),
    lookAt: async (path) => {
      const picture = beside.get(path);
      if (picture === undefined) throw missing();
      return { ...picture.facts, path };
    },
    kinds,
    realm: new Realm(snapshot),
  });
  if (!desired.ok) return desired;
  return planChanges({ desired: desired.value, snapshot, kinds, toolVersion: VERSION });
}

/** The content of a directory if these paths were on a disk. */
export function namesIn(paths: Iterable<string>, directory: string): readonly string[] {
  const above = directory === "" || directory === "." ? "" : `${directory}/`;
  const below = [...paths].filter((path) => path.startsWith(above)).map((path) => path.slice(above.length));
  return [...new Set(below.map((path) => path.split("/")[0] ?? path))];
}
