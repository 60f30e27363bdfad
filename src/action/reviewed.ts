import * as z from "zod";
import type { People } from "../access/people.ts";
import { CHANNEL, channelAddress } from "../access/scope.ts";
import { sha256 } from "../apply/sha256.ts";
import { kinds } from "../kinds/registry.ts";
import type { Counted } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import { type Diagnostic, error } from "../model/diagnostic.ts";
import type { ChangedSince } from "../model/diagnostics/runs.ts";
import { quoteAll } from "../model/diagnostics/values.ts";
import { canonicalJson, isList, isObject, type Json, sameJson } from "../model/json.ts";
import { once } from "../model/lazy.ts";
import { askingGuards, type Change, type Guard, type Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { type GuardPart, GuardParts } from "../plan/guard-parts.ts";
import { LEFT_OUT, mapStrings, type Redaction, redactAddress, redactField } from "../report/redact.ts";
import { gainsIn, invitationsOfFile, lossesIn, type ReadingWay, readersAfter } from "../workflow/changed-since.ts";
import { amountsOf, type Confirmed, showingWho } from "../workflow/refusals.ts";

export const REVIEWED_FILE = "realmctl-reviewed.json";

const VERSION = 7;

const Reviewed = z.strictObject({
  format: z.literal("realmctl.reviewed"),
  version: z.literal(VERSION),
  /** The branch that the pull request is for: its guard rails were checked. */
  base: z.string(),
  /** The commit of the pull request that was planned. */
  commit: z.string(),
  /** SHA-256 of the configuration's files. */
  configuration: z.string(),
  realm: z.string(),
  snapshot_taken_at: z.string(),
  /** Object and field → SHA-256 of the value before and after. No names and no values; of hidden texts, only the old text of an object is hashed. */
  fields: z.record(z.string(), z.strictObject({ before: z.string(), after: z.string() })),
  /** Guard rails of the base that refused the plan: it was no plan that anybody could approve. */
  refused: z.array(z.string()),
  /** Guard rail → how much it asked about. Whoever approved the plan confirmed so much, and not more. */
  asks: z.record(z.string(), z.number()),
  /**
   * What guard rails count → whom and what, as SHA-256 of ids, if they asked about it, or if somebody comes to have something within a limit: one for each person
   * and object, so that fewer of them pass at the merge; of more than {@link MOST_PARTS}, one for all.
   */
  who: z.record(z.string(), z.union([z.array(z.string()), z.string()])),
  /**
   * Channel → who loses it, as SHA-256 of ids; once these are more than {@link MOST_PARTS}, only how many people then read it, of those whose ids are up to
   * `newest`: somebody who joined later is no loss that the review showed.
   */
  losing: z.record(
    z.string(),
    z.union([z.array(z.string()), z.strictObject({ readers: z.number(), newest: z.number() })]),
  ),
  /** A right that people gain, with its object → who they are, as SHA-256 of ids; once these are more than {@link MOST_PARTS}, only how many. */
  gaining: z.record(z.string(), z.union([z.array(z.string()), z.number()])),
  /** The open invitations and links of the file, as SHA-256 of ids: no server shows where others lead that look the same. */
  invitations: z.array(z.string()),
});
export type Reviewed = z.infer<typeof Reviewed>;

/** Keeps a review small: 2,000 hashes have 40 KB. */
const MOST_PARTS = 2000;

/**
 * What a pull request's plan showed, as hashes: apply on merge makes exactly these changes, or none. The hashes can only forbid: calls are made from
 * the merged file and the realm at that time, so forging the hashes gains nothing.
 */
export function reviewedOf(
  plan: Plan,
  snapshot: Snapshot,
  redaction: Redaction,
  bound: { readonly base: string; readonly commit: string; readonly configuration: string },
): Reviewed {
  const form = nameless(new Realm(snapshot));
  const fields: { [key: string]: { before: string; after: string } } = {};
  for (const change of plan.changes)
    for (const [field, before, after] of valuesOf(change))
      fields[keyOf(change, field, redaction)] = {
        before: hash(shownOnly(change, field, form(before), redaction)),
        after: hash(form(after)),
      };
  const parts = new GuardParts({ plan, snapshot, kinds });
  return {
    format: "realmctl.reviewed",
    version: VERSION,
    ...bound,
    realm: plan.realm.url,
    snapshot_taken_at: plan.snapshot_taken_at,
    fields,
    refused: plan.guards.flatMap(({ name, violated, fact: { of_base, about } }) =>
      violated && (of_base === true || about.kind === "base-unreadable") ? [name] : [],
    ),
    asks: { ...amountsOf({ guards: askingGuards(plan) }) },
    who: Object.fromEntries(countedIn(plan).map((counted) => [counted, hashesOf(counted, parts, bound.commit)])),
    losing: losingBy(plan, snapshot, bound.commit),
    gaining: gainingBy(plan, snapshot, bound.commit),
    invitations: invitationsOfFile({ plan, snapshot, kinds }).map(({ key }) => hashOf(gainOf(key), bound.commit)),
  };
}

function losingBy(plan: Plan, snapshot: Snapshot, commit: string): Reviewed["losing"] {
  const after = once(() => readersAfter({ plan, snapshot }));
  const newest = once(() => snapshot.users.reduce((most, { user_id }) => Math.max(most, user_id), 0));
  const losing: Reviewed["losing"] = {};
  let hashes = 0;
  for (const { id, way, people, bound } of lossesIn({ plan, snapshot })) {
    // Of a reading without subscribers, the plan says how many people it can be at most, and not who.
    if (bound) continue;
    if (way === "read") hashes += people.size;
    losing[hashOf(lossOf(id, way), commit)] =
      hashes > MOST_PARTS
        ? { readers: readersUpTo(newest(), after().of(id, way), snapshot).length, newest: newest() }
        : people
            .ids()
            .map((person) => hashOf(lossOf(id, way, person), commit))
            .sort();
  }
  return losing;
}

function gainingBy(plan: Plan, snapshot: Snapshot, commit: string): Reviewed["gaining"] {
  const gaining: Reviewed["gaining"] = {};
  let hashes = 0;
  for (const { key, people } of gainsIn({ plan, snapshot })) {
    hashes += people.size;
    const own = people.ids().map((person) => hashOf(gainOf(key, person), commit));
    gaining[hashOf(gainOf(key), commit)] = hashes > MOST_PARTS ? people.size : own.sort();
  }
  return gaining;
}

const gainOf = (right: string, person?: number): GuardPart => ({
  counted: "people_gaining_access",
  object: right,
  ...defined({ person }),
});

/** Who gets a right by the plan of today, and not by the plan that was reviewed; and invitations of the file that were replaced. */
function gainedSince(
  { gaining, invitations, fields, commit }: Reviewed,
  plan: Plan,
  snapshot: Snapshot,
): readonly Diagnostic[] {
  // What the reviewed plan creates, an earlier run of it may have made.
  const replaced = invitationsOfFile({ plan, snapshot, kinds }).flatMap(({ key, object }): readonly ChangedSince[] =>
    invitations.includes(hashOf(gainOf(key), commit)) || fields[addressKey(object.address, "")] !== undefined
      ? []
      : [{ is: "replaced", object }],
  );
  const gained = [...gainsIn({ plan, snapshot })].flatMap(
    ({ key, object, right, people, realm }): readonly ChangedSince[] => {
      const shown = gaining[hashOf(gainOf(key), commit)] ?? [];
      const others = isList(shown)
        ? people.ids().filter((one) => !shown.includes(hashOf(gainOf(key, one), commit)))
        : [];
      const names = quoteAll(others.map((person) => realm.userName(person)));
      const isMore = isList(shown) ? names.length > 0 : people.size > shown;
      return isMore ? [{ is: "gains", right, names, ...defined({ object }) }] : [];
    },
  );
  const changed = [...replaced, ...gained];
  return changed.length === 0 ? [] : [error("plan/changed-since", { changed })];
}

const lossOf = (channel: number, way: ReadingWay, person?: number): GuardPart => ({
  counted: "people_losing_access",
  object: [CHANNEL, channel, way].join(" "),
  ...defined({ person }),
});

function readersUpTo(newest: number, readers: People | undefined, { users }: Snapshot): readonly number[] {
  return readers === undefined
    ? []
    : users
        .filter(({ user_id, is_bot }) => !is_bot && user_id <= newest && readers.has(user_id))
        .map(({ user_id }) => user_id);
}

/** Channels that somebody would still read after the plan of today, or could come to read, although the review showed that they lose it. */
function stillRead({ losing, commit }: Reviewed, plan: Plan, snapshot: Snapshot): readonly Diagnostic[] {
  if (Object.keys(losing).length === 0) return [];
  const after = readersAfter({ plan, snapshot });
  const stillBy = (id: number, way: ReadingWay): number => {
    const shown = losing[hashOf(lossOf(id, way), commit)];
    if (shown === undefined) return 0;
    const isCount = !isList(shown);
    const readers = readersUpTo(isCount ? shown.newest : Number.MAX_SAFE_INTEGER, after.of(id, way), snapshot);
    const lost = new Set(isCount ? [] : shown);
    return isCount
      ? Math.max(0, readers.length - shown.readers)
      : readers.filter((person) => lost.has(hashOf(lossOf(id, way, person), commit))).length;
  };
  return after.realm.snapshot.channels.flatMap(({ stream_id: id, name }) => {
    const people = stillBy(id, "read") + stillBy(id, "come");
    return people === 0
      ? []
      : [error("reviewed/still-read", { object: { address: channelAddress(name), name }, people })];
  });
}

/**
 * The plan at the merge, with the questions of the review: a number that the pull request itself wrote answers none of them, since it was asked about by
 * the guard rails of its base.
 */
export function askedAsReviewed(plan: Plan, reviewed: Reviewed): Plan {
  const asked = (guard: Guard): Guard => {
    const { about } = guard.fact;
    const isAnswered = !guard.violated && guard.fact.asks !== true;
    if (!isAnswered || about.kind !== "limit" || about.amount === 0 || reviewed.asks[guard.name] === undefined)
      return guard;
    return { ...guard, fact: { ...guard.fact, about: { ...about, limit: null }, asks: true, of_base: true } };
  };
  return { ...plan, guards: plan.guards.map(asked) };
}

/** What a review confirmed, to be compared with the plan at the merge. */
export function confirmedBy({ asks, who, commit }: Reviewed, today: Plan, snapshot: Snapshot): Confirmed {
  const known = once(() => {
    const parts = new GuardParts({ plan: today, snapshot, kinds });
    return new Map(
      countedIn(today).map((counted) => {
        const hashes = who[counted] ?? [];
        const isSame = typeof hashes === "string" && hashes === hashOfAll(counted, parts, commit);
        return [counted, isSame ? ("same" as const) : new Set(hashes)] as const;
      }),
    );
  });
  return {
    amounts: asks,
    knows: (part) => {
      const found = known().get(part.counted);
      return found === "same" || found?.has(hashOf(part, commit)) === true;
    },
  };
}

/** What is counted by the guard rails that say who gains something. */
const countedIn = (plan: Plan): readonly Counted[] => [
  ...new Set(showingWho(plan).flatMap(({ fact: { about } }) => (about.kind === "limit" ? [about.counted] : []))),
];

function hashesOf(counted: Counted, parts: GuardParts, commit: string): string | string[] {
  const hashes: string[] = [];
  for (const part of parts.of(counted)) {
    if (hashes.length === MOST_PARTS) return hashOfAll(counted, parts, commit);
    hashes.push(hashOf(part, commit));
  }
  // The order would be that of the accounts.
  return [...new Set(hashes)].sort();
}

const hashOfAll = (counted: Counted, parts: GuardParts, commit: string): string =>
  sha256([commit, ...[...parts.of(counted)].map(textOf).sort()].join("\n\n"));

/** With the commit, so that the hashes of two reviews cannot be compared. */
const hashOf = (part: GuardPart, commit: string): string => sha256(`${commit}\n\n${textOf(part)}`).slice(0, 20);

const textOf = ({ counted, object, person }: GuardPart): string => [counted, object, person ?? ""].join("\n");

/** A review that another version of the Action wrote: what it leaves out cannot be told, so nothing was confirmed. */
const OtherReviewed = z.object({ format: z.literal("realmctl.reviewed"), version: z.number(), commit: z.string() });
type OtherReviewed = z.infer<typeof OtherReviewed>;

/** Parses a review; undefined for a text that no version of this Action wrote. */
export function parseReviewed(text: string): Reviewed | OtherReviewed | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const other = OtherReviewed.safeParse(json).data;
  return other === undefined || other.version === VERSION ? Reviewed.safeParse(json).data : other;
}

export const isOtherVersion = (reviewed: Reviewed | OtherReviewed): reviewed is OtherReviewed =>
  reviewed.version !== VERSION;

/**
 * Finds what a review did not cover: the guard rails of the base refused it, the file is a different one, a field that the plan touches has changed since, people
 * would keep what the review showed as lost, or others than it showed would get a right.
 * @returns one diagnostic for each; empty if everything that would be sent was reviewed
 */
export function notReviewed(
  reviewed: Reviewed,
  plan: Plan,
  snapshot: Snapshot,
  redaction: Redaction,
  bound: { readonly base: string; readonly configuration: string },
): readonly Diagnostic[] {
  if (reviewed.base !== bound.base)
    return [error("reviewed/other-base", { reviewed: reviewed.base, base: bound.base })];
  if (reviewed.configuration !== bound.configuration) return [error("reviewed/other-file", {})];
  if (reviewed.realm !== plan.realm.url)
    return [error("reviewed/other-realm", { reviewed: reviewed.realm, url: plan.realm.url })];
  if (reviewed.refused.length > 0) return [error("reviewed/refused", { guards: reviewed.refused })];
  const form = nameless(new Realm(snapshot));
  const moved = plan.changes.flatMap((change) => {
    const fields = valuesOf(change).flatMap(([field, before, after]) => {
      const known = reviewed.fields[keyOf(change, field, redaction)];
      // The review did not depend on an old text that it could not show: it showed the new one.
      const isBefore = known?.before === hash(form(before)) || (known?.before === UNSHOWN && field !== "");
      const same = known !== undefined && isBefore && known.after === hash(form(after));
      return same ? [] : [field];
    });
    if (fields.length === 0) return [];
    const isUnlisted = change.undeclared === true && reviewed.fields[keyOf(change, "", redaction)] === undefined;
    return [movedDiagnostic(change, fields, isUnlisted)];
  });
  return [...moved, ...stillRead(reviewed, plan, snapshot), ...gainedSince(reviewed, plan, snapshot)];
}

function movedDiagnostic(change: Change, moved: readonly string[], isUnlisted: boolean): Diagnostic {
  const subject = change.singleton === true ? "singleton" : change.action === "reorder" ? "order" : "object";
  const fields = moved.filter((field) => field !== "");
  const object = { address: change.address, name: change.name };
  return error(
    "reviewed/moved",
    { subject, object, fields, ...defined({ is_unlisted: isUnlisted || undefined }) },
    change.at,
  );
}

/** What the server gives to the account that creates an object: whichever account applies, which the pull request does not choose. */
const IMPLIED: Json = { implied: true };

function valuesOf(change: Change): readonly (readonly [field: string, before: Json, after: Json])[] {
  const what: readonly [string, Json, Json] = ["", change.action, change.action];
  return [
    what,
    ...change.fields.map(({ field, before, after, implied }) => [field, before, implied ? IMPLIED : after] as const),
  ];
}

/**
 * The key of a change: by id, or by the name in the file. A hidden name that only the realm has is not included, since anybody could test guesses.
 */
function keyOf(change: Change, field: string, redaction: Redaction): string {
  const { action, id, kind, address, undeclared } = change;
  const name = undeclared === true ? redactAddress(address, redaction) : address;
  return addressKey(action === "reorder" || id === undefined ? name : `${kind} ${id}`, field);
}
const addressKey = (address: string, field: string): string => sha256(`${address}\n${field}`);

/**
 * A text of the realm that mentions something hidden is neither in the review nor on the page: somebody who knows the rest of it could test guesses
 * of a name. A text about a hidden object that mentions nothing hidden is in the review: only a guess of the whole text reveals something, and it
 * must not change between review and apply.
 */
function shownOnly(change: Change, field: string, before: Json, redaction: Redaction): Json {
  const { address, kind } = change;
  if (field === "" || sameJson(redactField(address, field, before, redaction, "before"), before)) return before;
  const isAbout = redaction.fieldSecrecy(kind, field) === "about" && redactAddress(address, redaction) !== address;
  const mentions = !sameJson(
    mapStrings(before, (text) => redaction.value(text, "before")),
    before,
  );
  return isAbout && !mentions ? before : LEFT_OUT;
}

/** A text that was not shown, or that a snapshot without names omits. */
const UNSHOWN = sha256(canonicalJson(LEFT_OUT));

const hash = (value: Json): string => sha256(canonicalJson(value));

/** A value in which people and channels are ids, so that hiding their names changes nothing; lists of people are sets, so they are sorted. */
function nameless(realm: Realm): (value: Json) => Json {
  const channels = new Map(
    realm.snapshot.channels.map(({ name, stream_id }) => [name, channelAddress(String(stream_id))]),
  );
  const person = (value: Json) =>
    typeof value === "string" && value.includes("@") ? realm.userByEmail(value) : undefined;
  const isPerson = (value: Json): boolean => person(value) !== undefined;
  const one = (value: Json): Json => {
    if (typeof value === "string") {
      const user = person(value);
      return user === undefined ? (channels.get(value) ?? value) : `user:${user.user_id}`;
    }
    if (isList(value)) return value.some(isPerson) ? sorted(value.map(one)) : value.map(one);
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, one(item)]));
    return value;
  };
  return one;
}

function sorted(values: readonly Json[]): readonly Json[] {
  return [...values].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
}
