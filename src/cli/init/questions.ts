import { defaultSections } from "../../export/export.ts";
import { kinds } from "../../kinds/registry.ts";
import { defined } from "../../model/defined.ts";
import { liveObjects } from "../../model/kind.ts";
import type { Policy } from "../../model/objects.ts";
import { Realm } from "../../model/realm.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { count } from "../../model/words.ts";
import { isReadOnRequest } from "../../plan/requests.ts";
import { CHOICES, QUESTIONS, SEE_LIMITS } from "../../report/commands/init.ts";
import type { Prompts } from "../asking.ts";
import { sectionsNamed } from "../export.ts";
import { answer } from "./answer.ts";
import type { CiHost, InitFlags } from "./flags.ts";
import { limitsOf } from "./limits.ts";

/** Asks which sections realmctl should manage. */
export async function sectionsOf(
  flags: InitFlags,
  prompts: Prompts | undefined,
  snapshot: Snapshot,
): Promise<readonly string[]> {
  if (flags.kinds !== undefined) return sectionsNamed(flags.kinds);
  const initial = defaultSections(snapshot, kinds);
  if (prompts === undefined) return initial;
  const realm = new Realm(snapshot);
  const limits = limitsOf(snapshot, kinds);
  const choices = kinds.flatMap((kind) => {
    const limited = limits.some(({ sections }) => sections.includes(kind.section));
    const [one, many] = kind.noun;
    if (kind.yaml?.item === undefined) return [];
    // Read when they are selected; an account that cannot read them is not asked.
    if (isReadOnRequest(kind))
      return limited ? [] : [{ value: kind.section, label: many, hint: kind.yaml.offeredAs ?? "" }];
    const live = liveObjects(kind, realm);
    if (live === undefined) return [];
    const amount =
      kind.shape === "singleton" ? [] : [count(live.filter(({ inactive }) => !inactive).length, one, many)];
    const hint = [...amount, ...(limited ? [SEE_LIMITS] : [])].join(", ");
    return [{ value: kind.section, label: many, ...defined({ hint: hint === "" ? undefined : hint }) }];
  });
  const picked = await answer(prompts.several(QUESTIONS.sections, choices, initial));
  return choices.flatMap(({ value }) => (picked.includes(value) ? [value] : []));
}

/** Asks what happens to objects that the file does not declare. */
export async function policyOf(flags: InitFlags, prompts: Prompts | undefined): Promise<Policy> {
  if (flags.policy !== undefined || prompts === undefined) return flags.policy ?? "additive";
  const picked = await answer(prompts.choose(QUESTIONS.undeclared, CHOICES.undeclared));
  return picked === "exact" ? "exact" : "additive";
}

/** Asks whether fields that the file leaves out are watched; default yes, since such fields often open an organization. */
export async function unsetOf(
  flags: InitFlags,
  prompts: Prompts | undefined,
  sections: readonly string[],
): Promise<"leave" | "default"> {
  const isAsked = kinds.some(({ section, diff }) => sections.includes(section) && diff?.defaults !== undefined);
  if (flags.unset !== undefined || prompts === undefined || !isAsked) return flags.unset ?? "default";
  const picked = await answer(prompts.choose(QUESTIONS.unset, CHOICES.unset));
  return picked === "leave" ? "leave" : "default";
}

/** The host for which jobs are written; undefined: no jobs. */
export async function hostOf({ workflows }: InitFlags, prompts: Prompts | undefined): Promise<CiHost | undefined> {
  if (typeof workflows === "string") return workflows;
  if (workflows !== undefined || prompts === undefined) return workflows === true ? "github" : undefined;
  const picked = await answer(prompts.choose(QUESTIONS.workflows, CHOICES.workflows));
  return picked === "yes" ? "github" : undefined;
}
