import type { Command } from "commander";
import { KNOWN } from "../kinds/known-words.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { Targets } from "../model/targets.ts";
import { repeatable } from "./options.ts";

/** The options that choose a part of the file. */
export interface TargetFlags {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly withNeeds?: boolean;
}

export function withTargetFlags(command: Command): Command {
  return command
    .addOption(
      repeatable(
        "--only <objects>",
        "only this: a section, or kind:name with * and ?, such as channel:team-*; can be given again",
        (value, before: readonly string[] = []) => [...before, ...targetsNamed(value)],
      ),
    )
    .addOption(
      repeatable(
        "--except <objects>",
        "everything but this, written as with --only; can be given again",
        (value, before: readonly string[] = []) => [...before, ...targetsNamed(value)],
      ),
    );
}

export const withNeedsFlag = (command: Command): Command =>
  command.option("--with-needs", "with --only or --except: also plan what these objects need");

const WORDS: ReadonlySet<string> = new Set(KNOWN.flatMap(({ name, section }) => [name, section]));

/** The targets in one option, separated by commas. A name may contain a comma. */
export function targetsNamed(value: string): readonly string[] {
  const named: string[] = [];
  for (const part of value.split(",")) {
    const word = part.trim();
    const [kind = ""] = word.split(":");
    if (named.length === 0 || WORDS.has(kind)) named.push(word);
    else named.push(`${named.pop()},${part}`);
  }
  return named;
}

/**
 * @param needs what happens to the prerequisites of the objects if no flag says so
 * @throws Failure when `--with-needs` is given without `--only` or `--except`
 */
export function targetsOf(
  { only = [], except = [], withNeeds = false }: TargetFlags,
  needs: Targets["needs"] = "refuse",
): Targets | undefined {
  if (only.length > 0 || except.length > 0) return { only, except, needs: withNeeds ? "take" : needs };
  if (withNeeds) throw new Failure(EXIT.errors, error("targets/nothing-named", { option: "--with-needs" }));
  return undefined;
}

/** The options with which another command is about the same objects. */
export function targetWords({ only = [], except = [], withNeeds }: TargetFlags): readonly string[] {
  return [
    ...only.flatMap((pattern) => ["--only", pattern]),
    ...except.flatMap((pattern) => ["--except", pattern]),
    ...(withNeeds === true ? ["--with-needs"] : []),
  ];
}

/** @throws Failure when the options ask for a part of a saved plan or of an undo */
export function refuseTargetsOf(source: "--plan" | "--undo", flags: TargetFlags): void {
  const [option] = targetWords(flags);
  if (option !== undefined) throw new Failure(EXIT.errors, error("targets/of-plan", { option, source }));
}
