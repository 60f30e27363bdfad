import { isMap, isPair, isSeq, type Scalar, type ScalarTag, type Tags } from "yaml";
import { withEscapes } from "../model/clean.ts";
import { sameJson } from "../model/json.ts";
import { documentOf, keepsComments, rangeOf } from "./nodes.ts";
import { type Splice, spliced } from "./splices.ts";
import { documentValue } from "./yaml.ts";

/** The maximum number of rounds: a layout must not change when it is applied again. */
const MOST_ROUNDS = 5;

/**
 * The same document in one layout: two spaces, indented lists, one space around comments and none inside brackets, at most one blank line, one line
 * end at the end. Undefined if it has errors, or if its meaning or a comment would be lost.
 */
export function formatYaml(text: string): string | undefined {
  const before = documentValue(text);
  if (before === undefined || before === null) return undefined;
  let current = text.replaceAll("\r\n", "\n");
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = laidOut(current);
    if (next === current) {
      const after = documentValue(next);
      return after !== undefined && sameJson(before, after) && keepsComments(text, next) ? next : undefined;
    }
    current = next;
  }
  return undefined;
}

function laidOut(text: string): string {
  const document = documentOf(text, {
    keepSourceTokens: true,
    customTags: (tags) => tags.map((tag) => (isText(tag) ? withItsEscapes(tag) : tag)),
  });
  const written = document.toString({
    indent: 2,
    indentSeq: true,
    lineWidth: 0,
    flowCollectionPadding: false,
    singleQuote: null,
  });
  return commentsBehindKeys(text, `${written.trimEnd()}\n`);
}

const isText = (tag: Tags[number]): tag is ScalarTag =>
  typeof tag !== "string" && tag.collection === undefined && tag.tag === "tag:yaml.org,2002:str";

/**
 * Texts as the library writes them, but with the escapes that the file has: nobody would see the raw characters in a review. On one line, such a text
 * stays as it is.
 */
function withItsEscapes(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    stringify(scalar: Scalar, ...context) {
      const written = tag.stringify?.(scalar, ...context) ?? String(scalar.value);
      const { srcToken } = scalar;
      if (srcToken?.type !== "double-quoted-scalar" || !srcToken.source.includes("\\")) return written;
      if (!srcToken.source.includes("\n")) return srcToken.source;
      return written.startsWith('"') ? written.split("\n").map(withEscapes).join("\n") : written;
    },
  };
}

/** `announce: &a # loud`: what stands behind a key whose entries start on the next line. */
const BEHIND_KEY = /^[ ]*:[ ]*(?:&\S+[ ]+)?(#[^\n]*)$/;
/** The same comment as the library writes it: on a separate line, with the anchor below it. */
const BELOW_KEY = /^:\n[ ]*(#[^\n]*)\n((?:[ ]*(?:#[^\n]*)?\n)*)(?:[ ]*(&\S+)\n)?([ ]*)$/;

/** Puts comments back behind their keys, after the library moved them. `before` and `after` have the same entries. */
function commentsBehindKeys(before: string, after: string): string {
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
