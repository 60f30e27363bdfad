import type { Command } from "commander";
import type { AdvisedWords } from "../report/advised.ts";
import { shellWord } from "../report/command-line.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { GuardFlags } from "./guard-flags.ts";
import { STANDARD_INPUT } from "./io.ts";

/** A file as a command-line argument: empty if it is realm.yaml. */
export function fileWords(file: string | undefined): readonly string[] {
  return file === undefined || file === "realm.yaml" ? [] : [pathWord(file)];
}

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
 * What commands that are advised need besides their own words: the file and the account of this one. The only place that decides it for the hints of
 * messages.
 */
export function advisedBy(command: Command): AdvisedWords {
  const flags: ConnectionFlags & { readonly file?: unknown } = command.opts();
  const [first] = command.args;
  const given = ["plan", "apply", "drift", "validate"].includes(command.name()) ? first : flags.file;
  const file = typeof given === "string" ? fileWords(given) : [];
  const connection = connectionWords(flags);
  const onFile = ending(...file, ...connection);
  return {
    plan: onFile,
    apply: onFile,
    drift: onFile,
    validate: ending(...file),
    adopt: ending(...file.flatMap((name) => ["--file", name]), ...connection),
    ...Object.fromEntries(["export", "snapshot", "whoami", "init"].map((name) => [name, ending(...connection)])),
  };
}

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

function valued(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [flag, value];
}
