import { parseDocument } from "yaml";
import { sameJson } from "../model/json.ts";
import { keepsComments } from "./comments.ts";
import { documentValue } from "./document-value.ts";
import { commentsBehindKeys } from "./key-comments.ts";

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
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    uniqueKeys: false,
    merge: false,
    keepSourceTokens: true,
    logLevel: "silent",
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
