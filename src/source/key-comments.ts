import { isMap, isPair, isSeq } from "yaml";
import { documentOf } from "./nodes.ts";
import { rangeOf } from "./positions.ts";
import { type Splice, spliced } from "./splices.ts";

/** `announce: &a # loud`: what stands behind a key whose entries start on the next line. */
const BEHIND_KEY = /^[ ]*:[ ]*(?:&\S+[ ]+)?(#[^\n]*)$/;
/** The same comment as the library writes it: on a separate line, with the anchor below it. */
const BELOW_KEY = /^:\n[ ]*(#[^\n]*)\n((?:[ ]*(?:#[^\n]*)?\n)*)(?:[ ]*(&\S+)\n)?([ ]*)$/;

/** Puts comments back behind their keys, after the library moved them. `before` and `after` have the same entries. */
export function commentsBehindKeys(before: string, after: string): string {
  const splices: Splice[] = [];
  const open: [unknown, unknown][] = [[documentOf(before).contents, documentOf(after).contents]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [old, now] = next;
    const both = (isMap(old) && isMap(now)) || (isSeq(old) && isSeq(now));
    if (!both) continue;
    for (const [index, item] of old.items.entries()) {
      const other: unknown = now.items[index];
      if (!isPair(item) || !isPair(other)) {
        open.push([item, other]);
        continue;
      }
      open.push([item.value, other.value]);
      const said = behindKey(before, item.key);
      const start = rangeOf(other.key)[1];
      const end = rangeOf(other.value)[0];
      const [, comment, more = "", anchor, indent = ""] =
        BELOW_KEY.exec(after.slice(start, Math.max(start, end))) ?? [];
      if (said === undefined || comment !== said) continue;
      const behind = anchor === undefined ? "" : ` ${anchor}`;
      splices.push({ start, end, text: `:${behind} ${comment}\n${more}${indent}` });
    }
  }
  return spliced(after, splices);
}

function behindKey(text: string, key: unknown): string | undefined {
  const start = rangeOf(key)[1];
  const end = text.indexOf("\n", start);
  return BEHIND_KEY.exec(text.slice(start, end === -1 ? text.length : end))?.[1]?.trimEnd();
}
