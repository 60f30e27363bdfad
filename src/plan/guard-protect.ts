import { BOT, DEFAULT_CHANNEL, ORGANIZATION, SETTINGS } from "../access/scope.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type GuardAbout, namedOf } from "../model/facts.ts";
import { keyOf, liveObjects, type ResourceKind, SINGLETON } from "../model/kind.ts";
import type { Change, Guard, Plan } from "../model/plan.ts";
import type { GuardPolicy } from "../model/policy.ts";
import type { Realm } from "../model/realm.ts";
import { didYouMean } from "../model/suggest.ts";
import { matchesWildcard } from "../model/wildcard.ts";

type QuietPattern = Extract<GuardAbout, { readonly kind: "untouched" }>["patterns"][number];

/** Looking for a similar name takes as long as there are names. */
const MOST_MEANT = 10;

/**
 * Protection is checked against the objects on the server, not against the file: an object whose name matches must not change, whether the file
 * declares it, renames it, or no longer mentions it.
 */
export function protectGuards(
  plan: Plan,
  protect: GuardPolicy["protect"],
  realm: Realm,
  kinds: readonly ResourceKind[],
): readonly Guard[] {
  const quiet: QuietPattern[] = [];
  const hits: Guard[] = [];
  const said = new Set<string>();
  const targets = new Map<ResourceKind, Targets>();
  for (const { pattern, at: rule } of protect) {
    if (said.has(pattern)) continue;
    said.add(pattern);
    const target = meantBy(pattern, kinds);
    if (target === undefined) continue;
    const { kind, key, glob } = target;
    const own = targets.get(kind) ?? new Targets(plan, kind, realm);
    targets.set(kind, own);
    const { touched, isThere, near } = own.matched(key, glob === "*");
    for (const change of touched) {
      const at = change.at ?? change.fields.find((field) => field.at !== undefined)?.at;
      hits.push({
        name: `protect:${pattern}`,
        fact: {
          about: {
            kind: "protected",
            pattern,
            object: namedOf(change),
            action: change.action,
            fields: change.fields.map(({ field }) => field),
          },
        },
        violated: true,
        ...defined({ at, rule }),
      });
    }
    if (touched.length > 0) continue;
    const is_there = isThere();
    const meant = is_there || quiet.length >= MOST_MEANT ? undefined : near();
    quiet.push({ pattern, is_there, ...defined({ meant: whenDefined(meant, (name) => quote(name)) }) });
  }
  return quiet.length === 0
    ? hits
    : [{ name: "protect", fact: { about: { kind: "untouched", patterns: quiet } }, violated: false }, ...hits];
}

/** The objects of one kind that patterns can match. Thousands of patterns are not compared with thousands of changes one by one. */
class Targets {
  private readonly live: ReadonlyMap<string, string>;
  /** Key on the server → changes of the object. A new object with a protected name is not affected. */
  private readonly changes = new Map<string, Change[]>();
  private readonly places = new Map<Change, number>();

  constructor(plan: Plan, kind: ResourceKind, realm: Realm) {
    const live = liveObjects(kind, realm) ?? [];
    this.live = new Map(live.map(({ key, name }) => [key, name]));
    const keys = new Map<number, string[]>();
    for (const { id, key } of live) if (id !== null) keys.set(id, [...(keys.get(id) ?? []), key]);
    // Accounts are taken along by their addresses, and live bots have shorter names.
    const keysNamed = (name: string): readonly string[] => [
      keyOf(kind, name),
      ...live.flatMap(({ id, key }) =>
        kind.isAccount === true && id !== null && realm.userName(id) === name ? [key] : [],
      ),
    ];
    const touched = plan.changes.flatMap((change) => [change, ...takenAlong(change)]);
    for (const change of touched) {
      if (change.kind !== kind.name || change.action === "create") continue;
      this.places.set(change, this.places.size);
      if (change.action === "reorder") continue;
      for (const key of change.id === undefined ? keysNamed(change.was ?? change.name) : (keys.get(change.id) ?? []))
        this.changes.set(key, [...(this.changes.get(key) ?? []), change]);
    }
  }

  /** @param all whether the pattern means every object. An order is about all of them. */
  matched(
    pattern: string,
    all: boolean,
  ): {
    readonly touched: readonly Change[];
    readonly isThere: () => boolean;
    readonly near: () => string | undefined;
  } {
    const isPlain = !/[*?]/.test(pattern);
    const among = (keys: Iterable<string>): readonly string[] =>
      [...keys].filter((key) => matchesWildcard(pattern, key));
    const found = isPlain ? (this.changes.has(pattern) ? [pattern] : []) : among(this.changes.keys());
    const touched = new Set(found.flatMap((key) => this.changes.get(key) ?? []));
    if (all && this.live.size > 0) for (const change of this.places.keys()) touched.add(change);
    return {
      touched: [...touched].sort((a, b) => (this.places.get(a) ?? 0) - (this.places.get(b) ?? 0)),
      isThere: () => (isPlain ? this.live.has(pattern) : among(this.live.keys()).length > 0),
      near: () =>
        whenDefined(isPlain ? didYouMean(pattern, [...this.live.keys()]) : undefined, (key) => this.live.get(key)),
    };
  }
}

/** The objects that a pattern means: their kind, and their names as the server compares them. */
export function meantBy(
  pattern: string,
  kinds: readonly ResourceKind[],
): { readonly kind: ResourceKind; readonly key: string; readonly glob: string } | undefined {
  const [written = "", glob = ""] = patternParts(pattern);
  const kind = kinds.find(({ name, section }) => name === written || section === written);
  return kind === undefined ? undefined : { kind, key: keyOf(kind, glob), glob };
}

/** `channel:general` → the kind and the pattern of names. */
export function patternParts(pattern: string): readonly [kind: string, glob: string] | readonly [] {
  const colon = pattern.indexOf(":");
  return colon < 1 || colon === pattern.length - 1 ? [] : [pattern.slice(0, colon), pattern.slice(colon + 1)];
}

/**
 * What the server changes together with an object, and what has no change of its own in the plan: bots that go with their owner, and what an archived channel
 * was for the organization. From the facts of which risks speak. Without ids, and
 * without the invitations of people who leave: the facts have only their number.
 */
export function takenAlong(change: Change): readonly Change[] {
  return change.risks.flatMap(({ fact, at = change.at }): readonly Change[] => {
    const base = { fields: [], risks: [], ...defined({ at }) };
    if (fact.kind === "account-deactivated")
      return fact.bots.map(({ address, name }) => ({ ...base, action: "remove", kind: BOT, address, name }));
    if (fact.kind !== "archived") return [];
    const name = change.was ?? change.name;
    const wasDefault = {
      ...base,
      action: "remove",
      kind: DEFAULT_CHANNEL,
      address: `${DEFAULT_CHANNEL}:${name}`,
      name,
    } as const;
    const fields = fact.cleared.map((field) => ({ field, before: name, after: null }));
    const pointed = {
      ...base,
      action: "update",
      kind: SETTINGS,
      address: ORGANIZATION,
      name: SINGLETON,
      fields,
    } as const;
    return [...(fact.ends_default === true ? [wasDefault] : []), ...(fields.length > 0 ? [pointed] : [])];
  });
}
