import { kinds } from "../../src/kinds/registry.ts";
import type { GuardPolicy } from "../../src/model/policy.ts";
import { guardsOf } from "../../src/plan/guards.ts";
import { guardText } from "../../src/report/words/guards.ts";
import { planText } from "./cases.ts";
import { type Overlay, realmOf } from "./realm.ts";
import { must } from "./world.ts";

export const channels = ["general", "news", "security-one", "Security-two"].map((name) => ({ name }));

/** The guard rails of a file's plan under one policy. */
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
