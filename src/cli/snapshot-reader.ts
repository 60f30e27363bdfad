import type { ZulipReader } from "../model/api.ts";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { Snapshot } from "../model/snapshot.ts";
import type { Io } from "./io.ts";

/** Reads from a file what `realmctl snapshot` wrote, instead of from the server. */
export function snapshotReader(io: Io, file: string): ZulipReader {
  return {
    async snapshot() {
      let value: unknown;
      try {
        value = JSON.parse(await io.readFile(file));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw mistake("snapshot/unreadable", `the snapshot ${file} cannot be read: ${why}`);
      }
      const checked = Snapshot.safeParse(value);
      if (checked.success) return checked.data;
      const [issue] = checked.error.issues;
      const where = issue === undefined ? "" : ` (${issue.path.join(".") || "at its top"}: ${issue.message})`;
      throw mistake("snapshot/no-snapshot", `${file} is no snapshot${where}`);
    },
  };
}

function mistake(code: `${string}/${string}`, message: string): Failure {
  const hint = "realmctl snapshot --out FILE writes one";
  return new Failure(EXIT.mistakes, { code, severity: "error", message, hint });
}
