import { shellWord } from "../report/command-line.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { GuardFlags } from "./guard-flags.ts";
import { STANDARD_INPUT } from "./io.ts";

/** A file as the command line takes it: nothing where it is the usual one. */
export function fileWords(file: string | undefined): readonly string[] {
  return file === undefined || file === "realm.yaml" ? [] : [pathWord(file)];
}

/** The path of a file that a command reads. */
export function pathWord(file: string): string {
  if (file === STANDARD_INPUT) return "-";
  return file.startsWith("-") ? `./${file}` : file;
}

/** The options that select the same account on the same server. The key is left out, because terminals and logs keep what is printed. */
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

/** What holds the same guard rails against the plan. */
export function guardWords({ policy, allow = [] }: GuardFlags): readonly string[] {
  return [
    ...valued("--policy", policy === undefined ? undefined : pathWord(policy)),
    ...allow.flatMap((guard) => ["--allow", guard]),
  ];
}

/** What holds a saved plan to the signature and the checksum that it was to have. A key in a file or a variable is named, not shown. */
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

/** What a command line ends with, each word behind a blank. */
export function ending(...words: readonly string[]): string {
  return words.map((word) => ` ${shellWord(word)}`).join("");
}

function valued(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [flag, value];
}
