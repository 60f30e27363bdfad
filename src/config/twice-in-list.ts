import { finding } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isTree } from "../source/tree.ts";
import type { Report } from "./report.ts";

/**
 * Warns of a name that is twice in a list: a line was copied, and its name was not changed. Where the server refuses that, it is an error, which was
 * reported.
 */
export function checkLists(report: Report): void {
  const { root, places } = report.document;
  const visited = new Set<object>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    if (isTree(value)) {
      for (const entry of Object.values(value)) walk(entry);
      return;
    }
    if (!Array.isArray(value)) return;
    const first = new Map<string, number>();
    for (const [index, entry] of value.entries()) {
      walk(entry);
      if (typeof entry !== "string") continue;
      // The server takes addresses that differ in capital letters for one.
      const key = entry.includes("@") ? entry.trim().toLowerCase() : entry;
      const before = first.get(key);
      if (before === undefined) {
        first.set(key, index);
        continue;
      }
      const at = places.valueSpan(value, [index]);
      if (at === undefined || report.isToldAt(at)) continue;
      const note = places.valueSpan(value, [before]);
      const fact = { noun: "entry", name: quote(entry), other: quote(entry), in_list: true } as const;
      const notes = note === undefined ? [] : [{ at: note, note: "first-here" as const }];
      report.add(finding("config/declared-twice", fact, { severity: "warning", notes }), at);
    }
  };
  walk(root);
}
