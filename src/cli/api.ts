import type { Command } from "commander";
import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, type ExitCode, error, Failure, failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { FileParam } from "../model/file-param.ts";
import type { WireCall } from "../model/journal.ts";
import { isList, type Json, type JsonObject } from "../model/json.ts";
import { paramText } from "../model/param-type.ts";
import { fileParam, MOST_UPLOAD_BYTES } from "../model/repository-file.ts";
import { unreadable } from "../model/unreadable.ts";
import { operationsText, operationText } from "../report/commands/api.ts";
import { cleanJson } from "../report/style.ts";
import { fileFacts } from "../source/file-facts.ts";
import type { Connection } from "../zulip/connection.ts";
import { curlText } from "../zulip/curl.ts";
import {
  checkCall,
  filesOf,
  missing,
  missingParams,
  specWritten,
  unknownOperation,
  unknownParam,
  wrongType,
} from "../zulip/encode.ts";
import { bodyOrFail } from "../zulip/failures.ts";
import type { Operation } from "../zulip/operation.ts";
import { findOperation, OPERATIONS, operationNamed } from "../zulip/operations.ts";
import { parseText } from "../zulip/param.ts";
import type { Reply } from "../zulip/reply.ts";
import { connect } from "./connect.ts";
import { Context, valueOrFailure } from "./context.ts";
import { CONNECTION, type ConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { collect, commandOf, type FlagsOf, option } from "./options.ts";

const API = [
  ...CONNECTION,
  option("--list", "show every operation, or the parameters of one"),
  option("--dry-run", "print the request as a curl command, the key masked, and send nothing"),
  option("--param <name=value>", "a parameter whose name realmctl uses itself (email)", {
    parse: collect,
    isRepeatable: true,
  }),
];
type ApiFlags = FlagsOf<typeof API> & ConnectionFlags;

export function apiCommand(io: Io): Command {
  return commandOf("api", API)
    .description("Send one operation to the server, with checked parameters, and print its answer.")
    .usage("[options] <operation> [--name value]…")
    .argument("[operation]", "its name, such as update-stream")
    .argument("[parameters...]", "--name value for each; lists and objects as JSON")
    .allowUnknownOption()
    .action(async (operation: string | undefined, words: readonly string[], flags: ApiFlags) => {
      if (flags.list === true) {
        io.out.write(operation === undefined ? operationsText(OPERATIONS) : operationHelp(known(operation)));
        io.setExitCode(EXIT.done);
      } else if (operation === undefined) throw failure("api/no-operation", {});
      else {
        const call = await withFiles(io, callOf(operation, words, flags));
        io.setExitCode(await send(new Context(io, flags), call));
      }
    });
}

/** The call with the facts about the files whose paths it has. */
async function withFiles(io: Io, call: WireCall): Promise<WireCall> {
  const files: { [name: string]: FileParam } = {};
  for (const { name, param } of filesOf(operationNamed(call.operation), call.params)) {
    const path = param.file;
    const facts = fileFacts(path, await readUpload(io, path));
    if (facts.image === null) throw failure("api/no-image", { file: path });
    files[name] = fileParam(facts);
  }
  return { ...call, params: { ...call.params, ...files } };
}

async function readUpload(io: Io, path: string): Promise<Uint8Array> {
  try {
    return await io.readBytes(path, { mostBytes: MOST_UPLOAD_BYTES });
  } catch (thrown) {
    throw failure("api/cannot-read", { file: path, why: unreadable(thrown) });
  }
}

async function send(context: Context<ApiFlags>, call: WireCall): Promise<ExitCode> {
  const { io, flags } = context;
  if (flags.dryRun === true) {
    const session = await connect(context);
    await session.close();
    const text = curlText(call, session.credentials);
    io.out.write(`${io.out.isTTY ? text.split("\n").map(clean).join("\n") : text}\n`);
    return EXIT.done;
  }
  return context.session(({ connection }) => exchange(context, call, connection), { ending: "not-said" });
}

async function exchange(context: Context, call: WireCall, connection: Connection): Promise<ExitCode> {
  const { io } = context;
  const reply = await connection.exchange(call, undefined, undefined, (path) => readUpload(io, path));
  const { repeat, recovery } = operationNamed(call.operation);
  if (repeat !== "read" && fateUnknown(reply))
    throw failure("api/fate-unknown", { operation: call.operation, recovery, ...lostAnswer(reply) }, EXIT.unreachable);
  const isRefusal = reply.kind === "envelope" && reply.status >= 400 && reply.status < 500 && reply.status !== 401;
  const body = isRefusal ? reply.body : bodyOrFail(reply, connection);
  io.out.write(`${cleanJson(JSON.stringify(body, maskKeys, 2))}\n`);
  const failed = isRefusal ? refusalOf(call, reply.status, body) : ignoredOf(call, body);
  if (failed === undefined) return EXIT.done;
  await context.show([failed.diagnostic], "not-said");
  return failed.exitCode;
}

/** Whether a write was sent and its answer does not show the result. */
function fateUnknown(reply: Reply): boolean {
  if (reply.kind === "no-answer") return !reply.error.neverSent;
  return reply.kind === "unreadable" || (reply.kind === "envelope" && reply.status >= 500);
}

function lostAnswer(reply: Reply) {
  if (reply.kind === "no-answer") return { cause: "no-answer", reason: reply.error.reason } as const;
  return { cause: "answer", ...defined({ status: "status" in reply ? reply.status : undefined }) } as const;
}

interface FailedAnswer {
  readonly diagnostic: Diagnostic;
  readonly exitCode: ExitCode;
}

function refusalOf(call: WireCall, status: number, body: JsonObject): FailedAnswer {
  const code = typeof body.code === "string" ? body.code : `HTTP_${status}`;
  const exitCode =
    code === "EXPECTATION_MISMATCH"
      ? EXIT.conflict
      : code === "UNAUTHORIZED_PRINCIPAL" || status === 403
        ? EXIT.notAllowed
        : EXIT.errors;
  const answer = quote(typeof body.msg === "string" ? body.msg : code);
  const fact = { operation: call.operation, answer, code: quote(code) };
  return { diagnostic: error("api/refused", fact), exitCode };
}

function ignoredOf(call: WireCall, body: JsonObject): FailedAnswer | undefined {
  const ignored = body.ignored_parameters_unsupported;
  if (!isList(ignored) || ignored.length === 0) return undefined;
  const fact = { operation: call.operation, parameters: ignored.map(String) };
  return { diagnostic: error("api/ignored", fact), exitCode: EXIT.appliedInPart };
}

function callOf(operation: string, words: readonly string[], flags: ApiFlags): WireCall {
  return valueOrFailure(parseApiArguments(operation, words, flags.param ?? []));
}

function known(name: string): Operation {
  const operation = findOperation(name);
  if (operation === undefined) throw new Failure(EXIT.errors, unknownOperation(name));
  return operation;
}

function operationHelp(operation: Operation): string {
  return operationText(operation, [
    ...Object.entries(operation.path).map(([name, { about }]) => ({ name, about, required: true, level: 0 })),
    ...Object.entries(operation.params).map(([name, spec]) => ({ ...spec, name, type: paramText(spec.type) })),
  ]);
}

/** Masks keys, since the answer to POST /register has the keys of every bot. */
const maskKeys = (key: string, value: unknown): unknown => (/(^|_)(api_key|token)$/.test(key) ? "********" : value);

/**
 * The call that a command line spells: `--name value`, `--name=value`, or `--name` alone for a flag; `-` and `_` are the same.
 * @param words everything after the operation's name
 * @param pairs `name=value` texts, for parameters whose names realmctl uses itself (`--param email=…`)
 */
function parseApiArguments(name: string, words: readonly string[], pairs: readonly string[]): Checked<WireCall> {
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
