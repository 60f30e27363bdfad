import type { Command } from "commander";
import { shellWord } from "../model/command-line.ts";
import { type AdvisedWords, PART } from "../report/style.ts";
import {
  type ConnectionFlags,
  type GuardFlags,
  type TargetFlags,
  targetWords,
  type ValueFlags,
  valueWords,
} from "./flags.ts";
import { STANDARD_INPUT } from "./io.ts";
import type { DriftFlags } from "./plan-flags.ts";

/** A file as a command-line argument (nothing if it is realm.yaml), with the values that its variables have. */
export function fileWords(file: string | undefined, values: ValueFlags = {}): readonly string[] {
  return [...(isUsual(file) ? [] : [pathWord(file)]), ...valueWords(values)];
}

/** The same for commands that take the file with an option. */
export const fileOptionWords = (file: string | undefined, values: ValueFlags = {}): readonly string[] => [
  ...(isUsual(file) ? [] : ["--file", pathWord(file)]),
  ...valueWords(values),
];

const isUsual = (file: string | undefined): file is undefined | "realm.yaml" =>
  file === undefined || file === "realm.yaml";

/** The path of a file that a command reads. */
export function pathWord(file: string): string {
  if (file === STANDARD_INPUT) return "-";
  return file.startsWith("-") ? `./${file}` : file;
}

/** The options that select the same account on the same server. The key is left out, because terminals and logs keep the output. */
export function connectionWords(flags: ConnectionFlags): readonly string[] {
  const { site, email, key, zuliprc, certBundle, insecure, timeout } = flags;
  return [
    ...valued("--site", site),
    ...valued("--email", email),
    ...valued("--key", key === undefined ? undefined : "KEY"),
    ...valued("--zuliprc", zuliprc === undefined ? undefined : pathWord(zuliprc)),
    ...valued("--cert-bundle", certBundle === undefined ? undefined : pathWord(certBundle)),
    ...(insecure === true ? ["--insecure"] : []),
    ...valued("--timeout", timeout === undefined ? undefined : String(timeout)),
  ];
}

/**
 * What commands that are advised need besides their own words: the file, the snapshot or the account, and the part and the guard rails of this one. The
 * only place that decides it for the hints of messages.
 */
export function advisedBy(command: Command): AdvisedWords {
  const flags: AdvisingFlags = command.opts();
  const [first] = command.args;
  const isPlanned = ["plan", "apply", "drift"].includes(command.name());
  const given = isPlanned || ["validate", "sync"].includes(command.name()) ? first : flags.file;
  // The file that a saved plan was made from is not known here.
  const named = typeof given === "string" && !given.endsWith(".plan") ? given : undefined;
  const file = fileWords(named, flags);
  const connection = connectionWords(flags);
  const read = [...valued("--snapshot", flags.snapshot), ...connection];
  const part = isPlanned ? targetWords(flags) : [];
  const rails = isPlanned ? guardWords(flags) : [];
  // `drift` refuses nothing, and has no prerequisites to take along.
  const ofDrift = isPlanned ? targetWords({ ...flags, withNeeds: false }) : [];
  return {
    plan: ending(...file, ...part, ...read, ...rails),
    [`plan ${PART}`]: ending(...file, ...read, ...rails),
    apply: ending(...file, ...part, ...connection, ...rails),
    [`apply ${PART}`]: ending(...file, ...connection, ...rails),
    drift: ending(...file, ...ofDrift, ...read, ...(isPlanned ? guardWords({ ...flags, allow: [] }) : [])),
    validate: ending(...file),
    adopt: ending(...fileOptionWords(named, flags), ...read),
    export: ending(...read),
    ...Object.fromEntries(["snapshot", "whoami", "init"].map((name) => [name, ending(...connection)])),
  };
}

type AdvisingFlags = ConnectionFlags &
  GuardFlags &
  TargetFlags &
  ValueFlags & { readonly file?: unknown; readonly snapshot?: string };

/** The options that check the plan with the same guard rails. */
export function guardWords({ policy, allow = [] }: GuardFlags): readonly string[] {
  return [
    ...valued("--policy", policy === undefined ? undefined : pathWord(policy)),
    ...allow.flatMap((guard) => ["--allow", guard]),
  ];
}

/** The options that check the signature and the checksum of a saved plan. A key in a file or a variable is named, not shown. */
export function verifyWords({
  verifyWith,
  checksum,
}: {
  readonly verifyWith?: string;
  readonly checksum?: string;
}): readonly string[] {
  return [
    ...valued("--checksum", checksum),
    ...valued("--verify-with", verifyWith === undefined ? undefined : pathWord(verifyWith)),
  ];
}

/** The end of a command line, each word after a space. */
export function ending(...words: readonly string[]): string {
  return words.map((word) => ` ${shellWord(word)}`).join("");
}

/** An option with its value; nothing without one. */
export function valued(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [flag, value];
}

/** The arguments of the suggested commands that revert or keep the drift. */
export function waysOn(
  file: string,
  flags: DriftFlags,
): {
  readonly argument: string;
  readonly applyAsOther: string;
  readonly adoptWith: string;
} {
  const connection = connectionWords(flags);
  const what = [...fileWords(file, flags), ...targetWords(flags)];
  return {
    argument: ending(...what, ...connection, ...guardWords(flags)),
    applyAsOther: ending(...what, ...guardWords(flags)),
    adoptWith: ending(...fileOptionWords(file, flags), ...valued("--snapshot", flags.snapshot), ...connection),
  };
}
