import { groupNames } from "../access/answers.ts";
import { groupsNamedIn, peopleNamedIn } from "../access/of-file.ts";
import { hasInvitations, type Invitee, inviteesOf, inviteesOfFile, openInviteesOf } from "../access/personas.ts";
import { returningIn } from "../access/returning.ts";
import {
  BOT,
  CHANNEL,
  channelAddress,
  declaredChannels,
  declaredDefaults,
  declaredFolders,
  declaredGroups,
  GROUP,
  groupAddress,
  isAccountKind,
  isGroupAddress,
  ORGANIZATION,
} from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import { type AccessState, privacyOf } from "../access/state.ts";
import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import type { Checked, Span } from "../model/diagnostic.ts";
import { liveObjects } from "../model/kind.ts";
import { overlaid } from "../model/lazy.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Address, Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { renamesIn } from "../model/renames.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { type Ground, type NamedGroups, personaKey, personasOf } from "../rules/bind.ts";
import { checkRules, type RuleOutcome } from "../rules/check.ts";
import { fieldForms } from "../rules/fields.ts";
import type { Former, FormerObjects } from "../rules/naming.ts";
import { type ReadRule, readRules } from "../rules/read.ts";
import type { RulesResult } from "../rules/result.ts";
import type { LoadOptions } from "../source/load.ts";
import { type Asked, accessAsRead, accessOfFile, accessOfPlan } from "./access.ts";
import { readerForQuestions } from "./reading.ts";
import { type Planned, planRealm } from "./workflow.ts";

/** What rules are checked against. */
export type Against =
  /** The file alone. */
  | { readonly what: "file"; readonly config: LoadOptions }
  /** A reading, with the changes that the file asks for. */
  | { readonly what: "plan"; readonly config: LoadOptions; readonly reader: ZulipReader }
  /** The current reading. */
  | {
      readonly what: "reading";
      readonly reader: ZulipReader;
      /** The file that says what the open invitations and links give: the server does not show it. */
      readonly invitations?: LoadOptions;
    };

/** The path of the rules beside a file: `realm.test.yaml` for `realm.yaml`. */
export function rulesBeside(file: string): string {
  return file.replace(/(\.ya?ml)?$/, (ending) => `.test${ending === "" ? ".yaml" : ending}`);
}

/** Rules that were checked; beside errors that only the organization shows, the rules without any. */
type Tested = Checked<RulesResult> & { readonly others?: RulesResult };

/** Reads rules and checks them against an organization; or returns every error in them, and in the file. */
export async function testRules(rulesFile: LoadOptions, against: Against): Promise<Tested> {
  const read = await readRules({ ...rulesFile, sections: kinds.map(({ section }) => section) });
  if (!read.ok) return read;
  const grounded = await groundOf(against, read.value.rules);
  if (!grounded.ok) return { ok: false, diagnostics: [...read.value.report.sorted(), ...grounded.diagnostics] };
  const { ground, snapshot } = grounded.value;
  const outcomes = checkRules(read.value, ground);
  const diagnostics = read.value.report.sorted();
  const value: RulesResult = { outcomes, ground, against: against.what, snapshot };
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    // What is left of a rule with an error may be broken, but does not show that the rule holds.
    const isWhole = ({ at: rule, verdict }: RuleOutcome): boolean =>
      verdict === "broken" ||
      errors.every(({ at }) => at?.file !== rule.file || at.line < rule.line || at.line > rule.endLine);
    const others = outcomes.filter(isWhole);
    return { ok: false, diagnostics, ...(others.length > 0 ? { others: { ...value, outcomes: others } } : {}) };
  }
  return {
    ok: true,
    value,
    warnings: [...diagnostics, ...grounded.warnings],
  };
}

/** What rules need from a file, a plan or a reading. */
export async function groundOf(
  against: Against,
  rules: readonly ReadRule[],
): Promise<Checked<{ readonly ground: Ground; readonly snapshot: Snapshot | undefined }>> {
  if (against.what === "file") return groundOfFile(against, rules);
  return against.what === "reading" ? groundOfReading(against, rules) : groundOfPlan(against, rules);
}

async function groundOfFile(
  against: Extract<Against, { what: "file" }>,
  rules: readonly ReadRule[],
): ReturnType<typeof groundOf> {
  let made: Added = { personas: [], invitees: [] };
  const read = await accessOfFile(
    against.config,
    (desired) => {
      const declared = declaredGroups(desired).map(({ name }) => name);
      made = {
        personas: personasOf(rules, declared, undefined, groupsNamedIn(desired)),
        invitees: inviteesOfFile(desired, peopleNamedIn(desired), declaredDefaults(desired)),
      };
      return [...made.personas, ...made.invitees];
    },
    true,
  );
  if (!read.ok) return read;
  const { desired, withoutRole, guests, otherwise } = read.value;
  const ground = groundIn(read.value, made, desired, read.value);
  const others = otherwise().map((other) => ({ ...ground, ...other }));
  const unsure = { withoutRole, people: [...new Set([...withoutRole, ...guests])], othersFor: () => others };
  return {
    ok: true,
    value: { ground: others.length === 0 ? ground : { ...ground, unsure }, snapshot: undefined },
    warnings: [],
  };
}

async function groundOfReading(
  against: Extract<Against, { what: "reading" }>,
  rules: readonly ReadRule[],
): ReturnType<typeof groundOf> {
  const alone = against.invitations && (await readConfig({ ...against.invitations, kinds }));
  const invites = alone?.ok === true && hasInvitations(alone.value);
  const snapshot = await against.reader.snapshot({ invites, subscribers: true });
  const known = accessAsRead(snapshot);
  const personas = personasOf(rules, ownGroups(known.state));
  const invitees = invites ? await openInvitees(against.invitations, known) : [];
  const ground = groundIn(accessAsRead(snapshot, [...personas, ...invitees]), { personas, invitees });
  return { ok: true, value: { ground, snapshot }, warnings: [] };
}

async function openInvitees(file: LoadOptions | undefined, { realm, state }: Asked): Promise<readonly Invitee[]> {
  const read = file && (await readConfig({ ...file, kinds, realm }));
  return read?.ok === true ? openInviteesOf(read.value, realm, state.facts.defaultChannels) : [];
}

async function groundOfPlan(
  against: Extract<Against, { what: "plan" }>,
  rules: readonly ReadRule[],
): ReturnType<typeof groundOf> {
  const reader = readerForQuestions(against.reader);
  const asked = await planRealm({ ...against.config, reader, leavesUnread: true });
  if (!asked.ok) return asked;
  const read = asked.value.snapshot;
  const back = reactivatedBy(asked.value.plan.changes);
  const { plan, snapshot } = await onceBack(asked.value, back);
  // The server may have rights that this version does not know: without it, they would be errors.
  const desired = await readConfig({ ...against.config, kinds, realm: new Realm(snapshot) });
  if (!desired.ok) return desired;
  const planned = accessOfPlan(plan, snapshot).after;
  const invitees = inviteesOf(desired.value, planned.realm, planned.state.facts.defaultChannels, plan.changes);
  const former = formerObjects(plan.changes, snapshot);
  const personas = personasOf(
    rules,
    ownGroups(planned.state),
    new Map(
      [...former].flatMap(([address, { name }]) =>
        isGroupAddress(address) ? [[name, address.slice(groupAddress("").length)]] : [],
      ),
    ),
  );
  const { after } = accessOfPlan(plan, snapshot, [...personas, ...invitees]);
  const ground: Ground = {
    ...groundIn(after, { personas, invitees }, desired.value, undefined, plan.changes),
    former,
    ...defined({ realmBefore: renamesIn(plan.changes).has(BOT) ? new Realm(snapshot) : undefined }),
  };
  return {
    ok: true,
    value: { ground: withReturning(ground, back, desired.value), snapshot: read },
    warnings: asked.warnings,
  };
}

const ownGroups = (state: AccessState): readonly string[] =>
  groupNames(state).filter((name) => !name.startsWith("role:"));

/** The accounts that changes reactivate. */
const reactivatedBy = (changes: readonly Change[]): ReadonlySet<number> =>
  new Set(
    changes.flatMap(({ kind, id, fields }) =>
      isAccountKind(kind) && fields.some(({ field, after }) => field === "deactivated" && after === false)
        ? (id ?? [])
        : [],
    ),
  );

/** The plan of the whole file once these accounts are back, as `apply` makes it then: only it has what names them. */
async function onceBack(planned: Planned, back: ReadonlySet<number>): Promise<Pick<Planned, "plan" | "snapshot">> {
  if (back.size === 0) return planned;
  const users = planned.snapshot.users.map((user) => (back.has(user.user_id) ? { ...user, is_active: true } : user));
  const snapshot = { ...planned.snapshot, users };
  const again = await planned.planAgain(snapshot);
  return again.ok ? { plan: again.value, snapshot } : planned;
}

/** Whoever comes back by the plan may be in what only the server knows. */
function withReturning(ground: Ground, back: ReadonlySet<number>, desired: Desired): Ground {
  if (back.size === 0) return ground;
  const { state, realm } = ground;
  const { people, everywhere, outside, inside } = returningIn(state.population.of(back), state, desired, realm);
  const on = (other: AccessState): Ground => ({ ...ground, state: other });
  const othersFor = keptByGroups((named) => [
    on(everywhere),
    ...(named.length === 0 ? [] : [on(outside(named.flat()))]),
    ...named.flatMap((groups) => inside(groups).map(on)),
  ]);
  return { ...ground, unsure: { withoutRole: [], people: [...people], othersFor, isReturning: true } };
}

/** Thousands of rules may name the same few groups, or each others: then not every state is kept. */
function keptByGroups(make: (named: NamedGroups) => readonly Ground[]): (named: NamedGroups) => readonly Ground[] {
  const kept = new Map<string, readonly Ground[]>();
  return (named) => {
    const key = JSON.stringify(named);
    const found = kept.get(key) ?? make(named);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, found);
    return found;
  };
}
const MOST_KEPT = 8;

/** What the channels and groups of a reading are before a plan, by their addresses after it. */
function formerObjects(changes: readonly Change[], { channels, user_groups }: Snapshot): FormerObjects {
  const renames = renamesIn(changes);
  const nameOf = (kind: string, id: number, name: string): string => renames.get(kind)?.get(id) ?? name;
  return new Map([
    ...channels.map((channel): [Address, Former] => {
      const { stream_id, name } = channel;
      return [channelAddress(nameOf(CHANNEL, stream_id, name)), { name, privacy: privacyOf(channel) }];
    }),
    ...user_groups.map(({ id, name, deactivated }): [Address, Former] => [
      groupAddress(nameOf(GROUP, id, name)),
      { name, deactivated },
    ]),
  ]);
}

/** Who was added to a state, in this order. */
interface Added {
  readonly personas: ReturnType<typeof personasOf>;
  readonly invitees: readonly Invitee[];
}

/** @param alone of a file alone: what stands for what only a server knows */
function groundIn(
  { realm, state, personas: ids }: Asked,
  { personas, invitees }: Added,
  desired?: Desired,
  alone?: { readonly strangers: Ground["strangers"]; readonly filledExcept: Ground["filledExcept"] | undefined },
  changes: readonly Change[] = [],
): Ground {
  const isFileAlone = alone !== undefined;
  const declared = declaredIn(desired);
  const written = isFileAlone ? writtenIn(desired, realm) : new Map<string, Values>();
  const live = isFileAlone ? new Map<string, Values>() : liveIn(realm);
  for (const { address, fields } of changes)
    live.set(
      address,
      overlaid(live.get(address) ?? {}, Object.fromEntries(fields.map(({ field, after }) => [field, after]))),
    );
  const addressOf = (target: Target): Address =>
    target === "organization" ? ORGANIZATION : `${target.kind}:${target.name}`;
  return {
    realm,
    state,
    personas: new Map(personas.map((persona, index) => [personaKey(persona), ids[index] ?? -1])),
    personaById: new Map([...personas, ...invitees].map((persona, index) => [ids[index] ?? -1, persona])),
    invitees: new Map(invitees.map((invitee, index) => [ids[personas.length + index] ?? -1, invitee])),
    isFileAlone,
    strangers: alone?.strangers ?? [],
    ...defined({ filledExcept: alone?.filledExcept }),
    hidesChannels: !realm.isAdmin,
    forms: FORMS,
    folders: foldersIn(realm, desired, isFileAlone),
    isDeclared: (address) => desired === undefined || declared.has(address),
    fieldsOf(target) {
      const address = addressOf(target);
      return isFileAlone ? written.get(address) : live.get(address);
    },
    spanOf(target, field): Span | undefined {
      const object = declared.get(addressOf(target));
      return object?.spans.of(field) ?? object?.at;
    },
  };
}

const FORMS = fieldForms(kinds);

type Values = { readonly [field: string]: unknown };

function declaredIn(desired: Desired | undefined): ReadonlyMap<string, DeclaredObject> {
  const found = new Map<string, DeclaredObject>();
  for (const kind of kinds)
    for (const object of desired?.sections.get(kind.section) ?? []) found.set(`${kind.name}:${object.name}`, object);
  return found;
}

/** A level above all levels, since a file may also be used with a later server. */
const NEWEST_LEVEL = Number.MAX_SAFE_INTEGER;

/**
 * Fields in the form of a file. If its section says `unset: default`, a field that an object leaves out has the default of a new object; otherwise an
 * existing channel may have any value, so the field is missing here (docs/internals/decisions/0011-unknown-is-never-taken-for-safe.md).
 */
function writtenIn(desired: Desired | undefined, realm: Realm): ReadonlyMap<string, Values> {
  const found = new Map<string, Values>();
  const { snapshot } = realm;
  const newest = new Realm({ ...snapshot, server: { ...snapshot.server, feature_level: NEWEST_LEVEL } });
  for (const kind of kinds.filter(({ name }) => FORMS.names.has(name))) {
    const isDefault = desired?.unset?.[kind.section] !== undefined;
    for (const object of desired?.sections.get(kind.section) ?? []) {
      const { name } = object;
      const made = { key: name, name, id: null, fields: {}, inactive: false };
      const defaults = isDefault ? (kind.diff?.defaults?.(newest, made) ?? {}) : {};
      found.set(`${kind.name}:${name}`, { ...defaults, ...object.fields });
    }
  }
  return found;
}

/** Existing folders; for a file alone, those that it declares, and those that its channels name. */
function foldersIn(realm: Realm, desired: Desired | undefined, isFileAlone: boolean): readonly string[] {
  const live = (realm.snapshot.channel_folders ?? []).filter(({ is_archived }) => !is_archived);
  const declared = desired === undefined ? [] : declaredFolders(desired);
  const used = isFileAlone ? (desired === undefined ? [] : declaredChannels(desired)) : [];
  const names = used.map(({ fields: { folder } }) => folder).filter((folder) => typeof folder === "string");
  return [...new Set([...live.map(({ name }) => name), ...declared.map(({ name }) => name), ...names])];
}

/** Every object's fields, with the names of the plan. */
function liveIn(realm: Realm): Map<string, Values> {
  const found = new Map<string, Values>();
  for (const kind of kinds) {
    const objects = kind.shape === "singleton" ? undefined : liveObjects(kind, realm);
    for (const object of objects ?? []) found.set(`${kind.name}:${object.name}`, object.fields);
  }
  return found;
}
