import { type Checked, type Diagnostic, error } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { WireCall } from "../model/journal.ts";
import type { Json } from "../model/json.ts";
import {
  checkCall,
  missing,
  missingParams,
  specWritten,
  unknownOperation,
  unknownParam,
  wrongType,
} from "../zulip/encode.ts";
import type { Operation } from "../zulip/operation.ts";
import { findOperation } from "../zulip/operations.ts";
import { parseText } from "../zulip/param.ts";

/**
 * The call that a command line spells: `--name value`, `--name=value`, or `--name` alone for a flag; `-` and `_` are the same.
 * @param words everything after the operation's name
 * @param pairs `name=value` texts, for parameters whose names realmctl uses itself (`--param email=…`)
 */
export function parseApiArguments(name: string, words: readonly string[], pairs: readonly string[]): Checked<WireCall> {
  const operation = findOperation(name);
  if (operation === undefined) return { ok: false, diagnostics: [unknownOperation(name)] };
  const diagnostics: Diagnostic[] = [];
  const path: { [name: string]: string } = {};
  const params: { [name: string]: Json } = {};
  const named = new Set<string>();

  for (const { name: written, value } of [...writtenIn(operation, words, diagnostics), ...pairs.map(pairOf)]) {
    const key = keyOf(operation, written);
    const spec = specWritten(operation, key);
    if (named.has(key)) diagnostics.push(error("api/duplicate-parameter", { parameter: key }));
    else if (!Object.hasOwn(operation.path, key) && spec === undefined)
      diagnostics.push(unknownParam(operation, written));
    else if (value === undefined && spec?.type.is !== "boolean")
      diagnostics.push(error("api/no-value", { parameter: key }));
    else if (spec === undefined) path[key] = value ?? "";
    else {
      const parsed = parseText(spec.type, value ?? "true");
      if (parsed !== undefined) params[key] = parsed;
      else diagnostics.push(wrongType(operation, key, spec.type));
    }
    named.add(key);
  }
  const call: WireCall = { operation: name, path, params };
  // A wrong parameter is not also missing.
  if (diagnostics.length === 0) diagnostics.push(...checkCall(call));
  else
    diagnostics.push(
      ...missingParams(operation, call)
        .filter((name) => !named.has(name))
        .map((name) => missing(operation, name)),
    );
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: call, warnings: [] };
}

interface Written {
  readonly name: string;
  readonly value: string | undefined;
}

function writtenIn(operation: Operation, words: readonly string[], diagnostics: Diagnostic[]): readonly Written[] {
  const found: Written[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const [, name, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      diagnostics.push(error("api/argument", { operation: operation.name, word: quote(word) }));
      continue;
    }
    const next = words[at + 1];
    if (inline !== undefined || next === undefined || next.startsWith("--")) found.push({ name, value: inline });
    else {
      found.push({ name, value: next });
      at += 1;
    }
  }
  return found;
}

function pairOf(pair: string): Written {
  const equals = pair.indexOf("=");
  return equals === -1
    ? { name: pair, value: undefined }
    : { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
}

/** The parameter's name in the table: people write `stream-id` for `stream_id`. */
function keyOf(operation: Operation, written: string): string {
  const exact = Object.hasOwn(operation.path, written) || Object.hasOwn(operation.params, written);
  return exact ? written : written.replaceAll("-", "_");
}
