import type { Target } from "../access/grants.ts";
import { groupNames } from "../access/question.ts";
import { declaredGroups } from "../access/scope.ts";
import type { AccessState } from "../access/state.ts";
import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import type { Desired } from "../model/desired.ts";
import type { Checked, Span } from "../model/diagnostic.ts";
import { liveObjects } from "../model/kind.ts";
import { overlaid } from "../model/lazy.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { type Ground, personaKey, personasOf } from "../rules/bind.ts";
import { checkRules } from "../rules/check.ts";
import { type ReadRule, readRules } from "../rules/read.ts";
import type { RulesResult } from "../rules/result.ts";
import type { LoadOptions } from "../source/load.ts";
import { accessAsRead, accessOfFile, accessOfPlan } from "./access.ts";
import { planRealm } from "./workflow.ts";

/** What rules are held against. */
export type Against =
  /** The file, and nothing else. */
  | { readonly what: "file"; readonly config: LoadOptions }
  /** A reading, with the changes that the file asks for. */
  | { readonly what: "plan"; readonly config: LoadOptions; readonly reader: ZulipReader }
  /** A reading as it is. */
  | { readonly what: "reading"; readonly reader: ZulipReader };

/** `realm.yaml` → `realm.test.yaml`. */
export function rulesBeside(file: string): string {
  return file.replace(/(\.ya?ml)?$/, (ending) => `.test${ending === "" ? ".yaml" : ending}`);
}

/** Reads rules and holds them against an organization; or every error in them, and in the file. */
export async function testRules(rulesFile: LoadOptions, against: Against): Promise<Checked<RulesResult>> {
  const read = await readRules(rulesFile);
  if (!read.ok) return read;
  const grounded = await groundOf(against, read.value.rules);
  if (!grounded.ok) return { ok: false, diagnostics: [...read.value.report.sorted(), ...grounded.diagnostics] };
  const { ground, snapshot } = grounded.value;
  const outcomes = checkRules(read.value, ground);
  const diagnostics = read.value.report.sorted();
  if (diagnostics.some(({ severity }) => severity === "error")) return { ok: false, diagnostics };
  return { ok: true, value: { outcomes, ground, against: against.what, snapshot }, warnings: grounded.warnings };
}

/** What rules ask, of a file, a plan or a reading. */
export async function groundOf(
  against: Against,
  rules: readonly ReadRule[],
): Promise<Checked<{ readonly ground: Ground; readonly snapshot: Snapshot | undefined }>> {
  if (against.what === "file") {
    const made: { personas: ReturnType<typeof personasOf> } = { personas: [] };
    const read = await accessOfFile(against.config, (desired) => {
      const declared = declaredGroups(desired);
      made.personas = personasOf(
        rules,
        declared.map(({ name }) => name),
      );
      return made.personas;
    });
    if (!read.ok) return read;
    const { realm, state, personas, desired } = read.value;
    const ground = groundIn({ realm, state, ids: personas, made: made.personas, desired, isFileAlone: true });
    return { ok: true, value: { ground, snapshot: undefined }, warnings: [] };
  }
  if (against.what === "reading") {
    const snapshot = await against.reader.snapshot({ invites: false, subscribers: true });
    const made = personasOf(
      rules,
      groupNames(accessAsRead(snapshot).state).filter((name) => !name.startsWith("role:")),
    );
    const { realm, state, personas } = accessAsRead(snapshot, made);
    const ground = groundIn({ realm, state, ids: personas, made, desired: undefined, isFileAlone: false });
    return { ok: true, value: { ground, snapshot }, warnings: [] };
  }
  const desired = await readConfig({ ...against.config, kinds });
  if (!desired.ok) return desired;
  // Rules ask who is subscribed; what else is read, invitations too, hangs on the file.
  const reader: ZulipReader = {
    snapshot: (request, signal) => against.reader.snapshot({ ...request, subscribers: true }, signal),
  };
  const planned = await planRealm({ ...against.config, reader, leavesUnread: true });
  if (!planned.ok) return planned;
  const { plan, snapshot } = planned.value;
  const known = groupNames(accessOfPlan(plan, snapshot).after.state);
  const made = personasOf(
    rules,
    known.filter((name) => !name.startsWith("role:")),
  );
  const { realm, state, personas } = accessOfPlan(plan, snapshot, made).after;
  const ground = groundIn({
    realm,
    state,
    ids: personas,
    made,
    desired: desired.value,
    isFileAlone: false,
    changes: plan.changes,
  });
  return { ok: true, value: { ground, snapshot }, warnings: planned.warnings };
}

interface Made {
  readonly realm: Realm;
  readonly state: AccessState;
  readonly ids: readonly number[];
  readonly made: ReturnType<typeof personasOf>;
  readonly desired: Desired | undefined;
  readonly isFileAlone: boolean;
  readonly changes?: readonly Change[];
}

function groundIn({ realm, state, ids, made, desired, isFileAlone, changes = [] }: Made): Ground {
  const declared = declaredIn(desired);
  const live = isFileAlone ? new Map<string, Values>() : liveIn(realm);
  for (const { address, fields } of changes)
    live.set(
      address,
      overlaid(live.get(address) ?? {}, Object.fromEntries(fields.map(({ field, after }) => [field, after]))),
    );
  const addressOf = (target: Target): string => (target === "organization" ? target : `${target.kind}:${target.name}`);
  return {
    realm,
    state,
    personas: new Map(made.map((persona, index) => [personaKey(persona), ids[index] ?? -1])),
    personaById: new Map(made.map((persona, index) => [ids[index] ?? -1, persona])),
    isFileAlone,
    fieldsOf(target) {
      const address = addressOf(target);
      return isFileAlone ? declared.get(address)?.fields : live.get(address);
    },
    spanOf(target, field): Span | undefined {
      const object = declared.get(addressOf(target));
      return object?.spans[field] ?? object?.at;
    },
  };
}

type Values = { readonly [field: string]: unknown };

function declaredIn(desired: Desired | undefined): ReadonlyMap<string, DeclaredObject> {
  const found = new Map<string, DeclaredObject>();
  for (const kind of kinds)
    for (const object of desired?.sections.get(kind.section) ?? []) found.set(`${kind.name}:${object.name}`, object);
  return found;
}

/** Every object's fields, under the names that a plan gives them. */
function liveIn(realm: Realm): Map<string, Values> {
  const found = new Map<string, Values>();
  for (const kind of kinds) {
    const objects = kind.shape === "singleton" ? undefined : liveObjects(kind, realm);
    for (const object of objects ?? []) found.set(`${kind.name}:${object.name}`, object.fields);
  }
  return found;
}
