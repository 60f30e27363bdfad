import type { Desired } from "../model/desired.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { DeclaredObject, Pair, PlanContext, ResourceKind } from "../model/kind.ts";
import type { Address, Change, Plan, Unmanaged } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { assembleCalls } from "./assemble.ts";
import { compareSection } from "./compare.ts";
import { levelProblems, missingSection } from "./levels.ts";
import { matchObjects } from "./match.ts";
import { orderChange } from "./reorder.ts";

export interface PlanInput {
  readonly desired: Desired;
  readonly snapshot: Snapshot;
  readonly kinds: readonly ResourceKind[];
  readonly toolVersion: string;
}

/**
 * What has to change so that the realm is as the file says, and the requests that do it: a pure function of what it is given.
 * Mistakes that only the realm shows come back instead, all at once, in the order of the file.
 */
export function planChanges({ desired, snapshot, kinds, toolVersion }: PlanInput): Checked<Plan> {
  const realm = new Realm(snapshot);
  const sections = kinds.map((kind) => compareKind(kind, desired, realm));
  const context = contextOf(desired, realm, sections);
  const problems: Diagnostic[] = [
    ...desired.warnings,
    ...sections.flatMap((section) => section.problems),
    ...sections.flatMap(({ kind, changes }) => kind.check?.(changes, context) ?? []),
  ].sort(byPlace);
  if (problems.some(({ severity }) => severity === "error")) return { ok: false, diagnostics: problems };

  const used = sections.filter((section) => section.isManaged);
  const calls = assembleCalls(used.flatMap(({ kind, changes }) => kind.calls(changes, context)));
  const effects = used.map(({ kind, changes }) => kind.sideEffects?.(changes, context));
  const plan: Plan = {
    format: "realmctl.plan",
    version: 1,
    tool_version: toolVersion,
    snapshot_taken_at: snapshot.taken_at,
    realm: snapshot.realm,
    server: snapshot.server,
    account: accountOf(snapshot),
    changes: used.flatMap(({ kind, changes }) =>
      changes.map((change) => ({ ...change, risks: kind.risks?.(change, context) ?? [] })),
    ),
    calls,
    least_calls: sum(used.map(({ kind, changes }) => kind.leastCalls?.(changes, context) ?? changes.length)),
    matches: Object.fromEntries(used.map(({ kind, matches }) => [kind.section, matches])),
    unmanaged: sections.flatMap(({ unmanaged }) => unmanaged),
    guards: [],
    warnings: problems,
    side_effects: {
      emails: sum(effects.map((effect) => effect?.emails ?? 0)),
      notices_in: [...new Set(effects.flatMap((effect) => effect?.notices_in ?? []))],
    },
  };
  return { ok: true, value: plan, warnings: problems };
}

/** One section of the file beside what the server has of it. */
interface Section {
  readonly kind: ResourceKind;
  readonly isManaged: boolean;
  readonly pairs: readonly Pair[];
  readonly changes: readonly Change[];
  /** Declared objects that are as declared. */
  readonly matches: number;
  readonly unmanaged: readonly Unmanaged[];
  readonly problems: readonly Diagnostic[];
}

function compareKind(kind: ResourceKind, desired: Desired, realm: Realm): Section {
  const declared = desired.sections.get(kind.section);
  const live = kind.live(realm);
  const none = { kind, isManaged: declared !== undefined, pairs: [], changes: [], matches: 0 };
  if (declared === undefined) {
    const names = (live ?? []).filter(({ dormant }) => !dormant).map(({ name }) => name);
    const unmanaged = names.length === 0 ? [] : [{ section: kind.section, policy: "absent", names } as const];
    return { ...none, unmanaged, problems: [] };
  }
  if (live === undefined) {
    return { ...none, unmanaged: [], problems: missingSection(kind, declared, realm) };
  }
  const policy = desired.manage[kind.section] ?? "additive";
  const { liveOf, problems } = matchObjects(kind, declared, live);
  const pairs = compareSection(kind, declared, live, liveOf, policy);
  const changes = pairs.flatMap(({ change }) => change ?? []);
  const liveOrder = live.filter(({ dormant }) => !dormant).map(({ name }) => name);
  const reorder = kind.ordered === true ? orderChange(kind, pairs, liveOrder) : undefined;
  const unmentioned = pairs.filter(
    (pair) => pair.declared === undefined && pair.live?.dormant === false && !pair.change,
  );
  return {
    kind,
    isManaged: true,
    pairs,
    changes: reorder === undefined ? changes : [...changes, reorder],
    matches: pairs.filter((pair) => pair.declared !== undefined && pair.change === undefined).length,
    unmanaged: [{ section: kind.section, policy, names: unmentioned.flatMap(({ live }) => live?.name ?? []) }],
    problems: [...problems, ...declared.flatMap((object) => levelProblems(kind, object, realm.level))],
  };
}

function contextOf(desired: Desired, realm: Realm, sections: readonly Section[]): PlanContext {
  const pairsByAddress = new Map<Address, Pair>();
  const pairsBySection = new Map<string, readonly Pair[]>();
  for (const { kind, pairs } of sections) {
    pairsBySection.set(kind.section, pairs);
    // Declared objects come first and keep the address when an object that is not declared has the same name.
    for (const pair of pairs) if (!pairsByAddress.has(pair.address)) pairsByAddress.set(pair.address, pair);
  }
  const declared = (section: string): readonly DeclaredObject[] => desired.sections.get(section) ?? [];
  return {
    realm,
    snapshot: realm.snapshot,
    changes: sections.flatMap(({ changes }) => changes),
    declared,
    pairs: (section) => pairsBySection.get(section) ?? [],
    pair: (address) => pairsByAddress.get(address),
    policy: (section) => (desired.sections.has(section) ? (desired.manage[section] ?? "additive") : undefined),
    manages: (section) => desired.sections.has(section),
    idOf: (address) => {
      const pair = pairsByAddress.get(address);
      if (pair?.live?.id !== undefined && pair.live.id !== null) return pair.live.id;
      if (pair?.change?.action === "create") return { idOf: address };
      throw new RangeError(`${address} is neither on the server nor made by this plan`);
    },
  };
}

function accountOf({ account }: Snapshot): Plan["account"] {
  const { email, full_name, role, is_bot } = account;
  return { email, full_name, role, is_bot };
}

/** In the order of the file; what has no place comes first. */
function byPlace({ at: a }: Diagnostic, { at: b }: Diagnostic): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
