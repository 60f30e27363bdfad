import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { GuardPolicy } from "../model/policy.ts";
import { guardText } from "../report/words/guards.ts";
import { guardsOf } from "./guards.ts";

export const channels = ["general", "news", "security-one", "Security-two"].map((name) => ({ name }));

/** The guard rails of the plan of a file, under one policy. */
export async function guards(
  yaml: string,
  policy: Partial<GuardPolicy> = {},
  overlay: Overlay = { channels },
  allow: string[] = [],
) {
  const snapshot = realmOf(overlay);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  return guardsOf({ plan, snapshot, kinds, policies: [{ limits: {}, protect: [], ...policy }], allow });
}

/** Those that refuse the plan: name, words and line. */
export const hits = async (...input: Parameters<typeof guards>) =>
  (await guards(...input))
    .filter(({ violated }) => violated)
    .map((guard) => `${guard.name} | ${guardText(guard)} | ${guard.at?.line}`);
