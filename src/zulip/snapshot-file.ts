import type * as z from "zod";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, error, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isObject, type Json } from "../model/json.ts";
import { jsonErrorAt, whyNotJson } from "../model/not-json.ts";
import { SNAPSHOT_VERSION, Snapshot } from "../model/snapshot.ts";
import { formCauseOf } from "./snapshot-decoding.ts";

/** The file's text: one line for each object, so that two snapshots compare line by line. Equal snapshots have equal texts. */
export function snapshotText(snapshot: Snapshot): string {
  const sections = Object.entries(snapshot).map(([name, value]) => `  ${JSON.stringify(name)}: ${block(value)}`);
  return `{\n${sections.join(",\n")}\n}\n`;
}

function block(value: unknown): string {
  if (Array.isArray(value) && value.length > 0)
    return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`;
  if (isObject(value) && Object.keys(value).length > 0)
    return `{\n${Object.entries(value)
      .map(([key, item]) => `    ${JSON.stringify(key)}: ${JSON.stringify(item)}`)
      .join(",\n")}\n  }`;
  return JSON.stringify(value);
}

/** @param file its name in messages */
export function readSnapshotFile(text: string, file: string): Checked<Snapshot> {
  const bare = text.replace(/^\uFEFF/, "");
  let value: Json;
  try {
    value = JSON.parse(bare);
  } catch {
    // The system's own message quotes the file, which may be any file.
    return refused(error("snapshot/syntax", { reason: whyNotJson(bare) }, spanAt(bare, jsonErrorAt(bare), file)));
  }
  const start = spanAt(bare, 0, file);
  if (!isObject(value) || value.format !== "realmctl.snapshot") return refused(error("snapshot/format", {}, start));
  if (value.version !== SNAPSHOT_VERSION) {
    const is_newer = typeof value.version === "number" && value.version > SNAPSHOT_VERSION;
    const found = quote(JSON.stringify(value.version ?? null));
    return refused(error("snapshot/version", { found, reads: SNAPSHOT_VERSION, is_newer }, start));
  }
  const parsed = Snapshot.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data, warnings: [] };
  return { ok: false, diagnostics: parsed.error.issues.map((issue) => describe(issue, start)) };
}

function describe(issue: z.core.$ZodIssue, at: Span): Diagnostic {
  const path = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const part = defined({ part: path.replace(/^\./, "") || undefined });
  return error("snapshot/field", { ...part, cause: formCauseOf(issue) }, at);
}

const refused = (diagnostic: Diagnostic): Checked<Snapshot> => ({ ok: false, diagnostics: [diagnostic] });

function spanAt(text: string, offset: number, file: string): Span {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - (before.lastIndexOf("\n") + 1) + 1;
  return { file, line, column, endLine: line, endColumn: column + 1 };
}
