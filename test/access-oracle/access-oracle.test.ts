import { expect, test } from "vitest";
import { holdersOf } from "../../src/access/grants.ts";
import { statesOf, statesWithBots } from "../../src/access/of-plan.ts";
import { peopleOfRisk } from "../../src/access/opened-channels.ts";
import { READ_PAST } from "../../src/access/rules.ts";
import { isAccountAddress } from "../../src/access/scope.ts";
import { kinds } from "../../src/kinds/registry.ts";
import type { Counted } from "../../src/model/counted.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Targets } from "../../src/model/plan-schema.ts";
import { Realm } from "../../src/model/realm.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { countedIn, guardsOf } from "../../src/plan/guards.ts";
import { isIn } from "../../src/sandbox/groups.ts";
import type { User } from "../../src/sandbox/rows/accounts.ts";
import type { Channel } from "../../src/sandbox/rows/channels.ts";
import type { Invite } from "../../src/sandbox/rows/organization.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import fc from "../support/random.ts";
import { type Overlay, realmOf, TAKEN_AT } from "../support/realm.ts";
import { planAgainst, World } from "../support/world.ts";
import { BY_LINK, type Joiners, joinersAfter, NEWCOMERS, type Powers, powersIn } from "./attempts.ts";
import {
  differencesBetween,
  type Model,
  ROLE_OF_NEWCOMER,
  type Shifts,
  saidShifts,
  seenShifts,
  shiftsBetween,
  widerThanSaid,
} from "./compared.ts";
import { ADA, type Edit, fileOf, type Planned, scenarios } from "./scenario.ts";

/**
 * The oracle of access: for a random organization and a random plan, everything that anybody could do over HTTP before and after it is tried (attempts.ts);
 * what people really gain and lose must be what the difference says, no more and no less, and the guards must count it.
 */
/** Organizations. Each tries two or three plans, so the soak (a thousand runs of each property) tries more than a thousand. */
const RUNS = {
  numRuns: Math.ceil(Number(process.env.REALMCTL_RUNS ?? 8) / 2),
  // A smaller example takes minutes to find: whoever looks into a failure has them, CI does not.
  endOnFailure: process.env.CI !== undefined,
};
const NOW = Date.parse(TAKEN_AT);

interface Run {
  readonly plan: Plan;
  /** The plan of everything in the file, of which `plan` may be a part. */
  readonly whole: Plan;
  /** What the account reads, which may be less than there is. */
  readonly live: Snapshot;
  readonly before: RealmState;
  readonly after: RealmState;
  /** Invitations and links of the file that are open before. */
  readonly opened: readonly Invite[];
  /** Bots that the file has in use. */
  readonly kept: readonly string[];
}

/** Undefined for edits with errors, plans that change nothing, and those of which the server refuses a part: test/properties has these. */
async function carriedOut(world: World, { edits, first = [], only }: Planned): Promise<Run | undefined> {
  world.restart();
  const opened = await openedFirst(world, first);
  if (opened === undefined) return undefined;
  const yaml = fileOf([...first, ...edits]);
  const whole = await world.plan(yaml);
  if (!whole.ok || whole.value.changes.length === 0) return undefined;
  const targets: Targets | undefined = only && { only, except: [], needs: "take" };
  const planned = targets === undefined ? whole : await world.plan(yaml, targets);
  if (!planned.ok || planned.value.changes.length === 0) return undefined;
  const plan = planned.value;
  const live = await world.read();
  const before = world.sandbox.state();
  const replan = (snapshot: Snapshot) => planAgainst(yaml, snapshot, { targets, isAgain: true });
  const { outcome } = await world.apply(plan, yaml, undefined, undefined, { replan });
  const found = { plan, whole: whole.value, live, before, after: world.sandbox.state(), opened, kept: botsKept(edits) };
  return outcome === "applied" ? found : undefined;
}

/** The names of the bots that are in the file without its saying that they are deactivated. */
function botsKept(edits: readonly Edit[]): readonly string[] {
  const found = new Map<string, boolean>();
  for (const { section, of = "", fields } of edits)
    if (section === "bots")
      found.set(of, fields.deactivated === undefined ? found.get(of) !== false : !fields.deactivated);
  return [...found].flatMap(([name, isInUse]) => (isInUse ? [name] : []));
}

/** Sends what the file invites before the plan. Undefined if the server refuses a part of it. */
async function openedFirst(world: World, first: readonly Edit[]): Promise<readonly Invite[] | undefined> {
  if (first.length === 0) return [];
  const yaml = fileOf(first);
  const plan = await world.plan(yaml);
  if (!plan.ok || plan.value.changes.length === 0) return undefined;
  const there = new Set(world.sandbox.state().invites.map(({ id, is_multiuse }) => `${is_multiuse} ${id}`));
  const { outcome } = await world.apply(plan.value, yaml);
  if (outcome !== "applied") return undefined;
  return world.sandbox.state().invites.filter(({ id, is_multiuse }) => !there.has(`${is_multiuse} ${id}`));
}

/** What was found out about one organization before its plans, by the roles of those who join: these differ from plan to plan. */
type Known = Map<string, Powers>;

interface Judged {
  /** Where the difference, or the guards, are wrong. */
  readonly wrong: readonly string[];
  /** Where the difference of another model would be wrong. */
  readonly wrongIn: (other: (model: Model) => Model) => readonly string[];
}

/** What really happened, held against what the difference says. */
async function judged(run: Run, known: Known): Promise<Judged> {
  const { plan, live, before, after } = run;
  const joiners = joinersAfter(before, after, run.opened);
  const links = joiners.links.slice(0, joiners.open);
  const roles = [...joiners.roles].filter((role) => role < 400).sort();
  const key = JSON.stringify([roles, links]);
  const had = known.get(key) ?? (await powersIn(before, NOW, { ...joiners, links }));
  known.set(key, had);
  const was = withoutLatent(had, before, after);
  const powers = await powersIn(after, NOW, joiners, before);
  const real = shiftsBetween(was, powers);
  const existed = (id: number): boolean => before.channels[id] !== undefined;
  const model: Model = { snapshot: live, changes: plan.changes };
  const { isRead, isInvited } = viewOf(run);
  const wrongIn: Judged["wrongIn"] = (other) => {
    const said = saidShifts(other(model), after);
    const seen = seenShifts(real, isRead, isInvited);
    const read = { ...said, shifts: seenShifts(said.shifts, isRead, isInvited) };
    return [...differencesBetween(seen, read), ...widerThanSaid(seen, read, existed)];
  };
  return { wrong: [...wrongIn((same) => same), ...uncounted(run, real, [was, powers], joiners)], wrongIn };
}

/**
 * Who can come into an archived channel, or one with protected history, by joining groups gains something when it comes back, or shows its history: nobody had
 * that before but those who could read it or let themselves in directly.
 */
function withoutLatent(had: Powers, before: RealmState, after: RealmState): Powers {
  const found = new Map(had);
  for (const [id, was] of Object.entries(before.channels)) {
    const is = after.channels[Number(id)];
    if (is === undefined || !opensAnew(was, is)) continue;
    const direct = [`read|${id}`, `can_subscribe_group|${id}`].map((power) => had.get(power));
    const reach = had.get(`reach|${id}`) ?? [];
    found.set(`reach|${id}`, new Set([...reach].filter((person) => direct.some((people) => people?.has(person)))));
  }
  return found;
}

/** A channel comes back, or shows its history. */
const opensAnew = (was: Channel, is: Channel): boolean =>
  (was.is_archived && !is.is_archived) || (isProtected(was) && !isProtected(is));

const isProtected = (channel: Channel): boolean => channel.invite_only && !channel.history_public_to_subscribers;

interface View {
  /** Whether the account knows who is in the object. */
  readonly isRead: (id: number) => boolean;
  /** Whether the account knows that somebody like this newcomer can join. */
  readonly isInvited: (newcomer: number) => boolean;
}
/** What the account can know: only administrators read everything. */
function viewOf({ live, before, after }: Run): View {
  if (new Realm(live).isAdmin) return { isRead: () => true, isInvited: () => true };
  const own = new Set(live.invites?.map(({ id, is_multiuse }) => `${is_multiuse} ${id}`));
  const seen = ({ invites, ...rest }: RealmState): RealmState => ({
    ...rest,
    invites: invites.filter(
      ({ id, is_multiuse }) =>
        own.has(`${is_multiuse} ${id}`) ||
        !before.invites.some((invite) => invite.id === id && invite.is_multiuse === is_multiuse),
    ),
  });
  const { roles } = joinersAfter(seen(before), seen(after));
  return {
    isRead: (id) => before.channels[id] === undefined || live.subscribers?.[id] !== undefined,
    isInvited: (newcomer) => {
      const role = ROLE_OF_NEWCOMER.get(newcomer);
      return role === undefined || roles.has(role);
    },
  };
}

test(
  "what people gain and lose over HTTP is what the difference says and guards count",
  async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ overlay, plans }) => {
        const world = new World(realmOf(overlay));
        const known: Known = new Map();
        for (const planned of plans) {
          const run = await carriedOut(world, planned);
          if (run === undefined) continue;
          tried += 1;
          const { wrong } = await judged(run, known);
          expect({ planned, wrong }).toEqual({ planned, wrong: [] });
        }
        fc.pre(known.size > 0);
      }),
      RUNS,
    );
    expect(tried).toBeGreaterThan(RUNS.numRuns);
    if (process.env.REALMCTL_RUNS !== undefined) console.log(`${tried} plans`);
  },
  60_000 + RUNS.numRuns * 60_000,
);

/** A model without one of the things that it has to know, and a plan for which that is wrong. */
interface Blind {
  readonly part: string;
  readonly without: (model: Model, run: Run) => Model;
  readonly hall?: object;
  readonly more?: Overlay;
  readonly edits: readonly Edit[];
  readonly only?: readonly string[];
}
const withoutChanges = ({ changes }: Model, of: string, field?: string): Model["changes"] =>
  field === undefined
    ? changes.filter(({ kind }) => kind !== of)
    : changes.map((change) =>
        change.kind === of ? { ...change, fields: change.fields.filter((one) => one.field !== field) } : change,
      );
const hall = (fields: object): Edit => ({ section: "channels", of: "hall", fields: { ...fields } });
const MEMBERS_ENTER = { permissions: { can_subscribe_group: "role:members" } };

const BLIND: readonly Blind[] = [
  {
    part: "owners of bots",
    without: (model) => ({
      ...model,
      snapshot: {
        ...model.snapshot,
        users: model.snapshot.users.map((user) => ({ ...user, bot_owner_id: null })),
      },
    }),
    edits: [hall({ subscribers: { users: [ADA, "ci-bot@localhost"], exact: true } })],
  },
  {
    part: "former owners of bots, who have their keys",
    without: (model) => ({
      ...model,
      snapshot: {
        ...model.snapshot,
        users: model.snapshot.users.map((user) => (user.user_id === 18 ? { ...user, bot_owner_id: null } : user)),
      },
    }),
    edits: [
      { section: "bots", of: "ci-bot", fields: { owner: "elif@acme.example" } },
      hall({ subscribers: { users: [ADA, "ci-bot@localhost"], exact: true } }),
    ],
  },
  {
    part: "roles of bots",
    without: (model) => ({ ...model, changes: withoutChanges(model, "bot", "role") }),
    edits: [{ section: "bots", of: "ci-bot", fields: { role: "administrator" } }],
  },
  {
    part: "new bots",
    without: (model) => ({ ...model, newBots: false }),
    edits: [{ section: "bots", of: "fresh-bot", fields: { owner: "dmitri@acme.example", role: "administrator" } }],
  },
  {
    part: "the rest of the file, of which a part is applied",
    without: (model, { whole }) => ({ ...model, changes: whole.changes }),
    edits: [hall(MEMBERS_ENTER), { section: "people", of: "ben@acme.example", fields: { role: "member" } }],
    only: ["people"],
  },
  {
    part: "what a part needs besides",
    without: (model, { plan }) => {
      const taken = new Set(plan.extra?.partial?.taken_along.map(({ object }) => object.address));
      return { ...model, changes: model.changes.filter(({ address }) => !taken.has(address)) };
    },
    edits: [
      hall({ permissions: { can_subscribe_group: "keepers" } }),
      { section: "user_groups", of: "keepers", fields: { members: ["dmitri@acme.example"] } },
    ],
    only: ["channels"],
  },
  {
    part: "archived channels",
    hall: { is_archived: true },
    without: (model) => ({ ...model, sees: ({ is }) => !(typeof is === "object" && "archived" in is && is.archived) }),
    edits: [hall({ archived: true, ...MEMBERS_ENTER })],
  },
  {
    part: "people who join later",
    without: (model) => ({ ...model, newcomers: false }),
    edits: [hall(MEMBERS_ENTER)],
  },
  {
    part: "default channels",
    hall: { invite_only: false },
    without: (model) => ({ ...model, changes: withoutChanges(model, "default_channel") }),
    edits: [{ section: "default_channels", of: "hall", fields: {} }],
  },
  {
    part: "roles of open links",
    more: { links: [{ invited_as: 300 }] },
    without: (model) => ({ ...model, snapshot: { ...model.snapshot, invites: [] } }),
    edits: [hall({ permissions: { can_subscribe_group: "role:moderators" } })],
  },
  {
    part: "the web",
    hall: { invite_only: false, is_web_public: true },
    without: (model) => ({ ...model, web: false }),
    edits: [{ section: "settings", fields: { enable_spectator_access: true } }],
  },
  {
    part: "a setting that lets the web read",
    hall: { invite_only: false, is_web_public: true },
    without: (model) => ({ ...model, changes: withoutChanges(model, "settings", "enable_spectator_access") }),
    edits: [{ section: "settings", fields: { enable_spectator_access: true } }],
  },
  {
    part: "people who come back",
    more: { subscribers: { hall: [ADA, "jana@acme.example"] } },
    without: (model) => ({ ...model, returning: false }),
    edits: [{ section: "people", of: "jana@acme.example", fields: { deactivated: false } }],
  },
];

test.each(BLIND)("a model that knows nothing of $part is noticed", async ({ without, hall: is, more, edits, only }) => {
  const world = new World(
    realmOf({
      channels: [{ name: "hall", invite_only: true, history_public_to_subscribers: true, ...is }],
      subscribers: { hall: [ADA] },
      user_groups: [],
      invites: [],
      users: { "ci-bot@localhost": { bot_owner_id: 9 } },
      settings: { can_access_all_users_group: 15 },
      user_defaults: {},
      ...more,
    }),
  );
  const run = await carriedOut(world, only === undefined ? { edits } : { edits, only });
  if (run === undefined) throw new Error("nothing was carried out");
  const { wrong, wrongIn } = await judged(run, new Map());
  expect(wrong).toEqual([]);
  expect(wrongIn((model) => without(model, run))).not.toEqual([]);
});

/** What is rare among random plans: somebody comes into a channel that closes, by what is open already, or by what the plan makes. */
const guestInto: Edit["fields"] = { invite_as: "guest", channels: ["hall"] };
const LINK: Edit = { section: "invite_links", fields: { ...guestInto, expires_on: "2026-12-31" } };
const MAIL: Edit = {
  section: "invites",
  fields: { ...guestInto, emails: ["nils@acme.example"], send_until: "2026-12-31" },
};
const BACK: Edit = { section: "people", of: "jana@acme.example", fields: { deactivated: false } };
const CLOSED = hall({ privacy: "private_shared_history" });

test.each<{ what: string; first?: readonly Edit[]; edits: readonly Edit[]; counted: readonly [number, boolean] }>([
  { what: "a link of the plan", edits: [CLOSED, LINK], counted: [1, true] },
  { what: "a mail of the plan", edits: [CLOSED, MAIL], counted: [1, false] },
  { what: "a link that is open already", first: [LINK], edits: [CLOSED], counted: [1, true] },
  { what: "a mail that is open already", first: [MAIL], edits: [CLOSED], counted: [1, false] },
  { what: "somebody who comes back", edits: [CLOSED, BACK], counted: [1, false] },
])("a channel closes, and $what leads into it", async ({ first, edits, counted }) => {
  const world = new World(
    realmOf({
      channels: [{ name: "hall" }],
      subscribers: { hall: [ADA, "jana@acme.example"] },
      user_groups: [],
      invites: [],
      settings: { can_access_all_users_group: 15 },
      user_defaults: {},
    }),
  );
  const run = await carriedOut(world, first === undefined ? { edits } : { edits, first });
  if (run === undefined) throw new Error("nothing was carried out");
  expect((await judged(run, new Map())).wrong).toEqual([]);
  const amount = (name: Counted): number =>
    items(run, name).reduce((sum, item) => sum + (item.people?.size ?? item.amount ?? 1), 0);
  expect([amount("people_gaining_access"), amount("opened") > 0]).toEqual(counted);
});

/** People whom a risk names, by name or as everybody, because of what they gain. */
function namedIn({ plan, live }: Run): ReadonlySet<number> {
  const { after, difference } = statesWithBots(plan.changes, new Realm(live));
  const named = new Set<number>();
  const add = (people: Iterable<number>): void => {
    for (const id of people) named.add(id);
  };
  for (const { id, address, risks } of plan.changes)
    for (const { kind, fact } of risks) {
      if (kind !== "widens") continue;
      add(peopleOfRisk(fact, difference) ?? []);
      const account = id ?? after.facts.newBots.get(address);
      // Whoever gets another role, an account or a bot: the sentence has the name.
      if (isAccountAddress(address) && account !== undefined) add([account, after.account(account)?.owner ?? account]);
      if (fact.kind === "open-to-web") add(after.accounts.everybody);
      const channel = fact.kind === "history-opened" ? after.channel(fact.object.name) : undefined;
      if (channel !== undefined) add(holdersOf(after, channel, READ_PAST)?.people ?? []);
    }
  return named;
}

/** Real gains and losses that the guards do not count, and what they count without one. */
function uncounted(
  run: Run,
  real: Shifts,
  [was, powers]: readonly [Powers, Powers],
  joiners: Joiners,
): readonly string[] {
  const { plan, live, before, after } = run;
  const guards = guardsOf({ plan, snapshot: live, kinds, policies: [], allow: [] });
  const counted = (name: Counted): number => {
    const found = guards.find((guard) => guard.name === name)?.fact.about;
    return found?.kind === "limit" ? found.amount : 0;
  };
  const { isRead, isInvited } = viewOf(run);
  // Also those that the plan makes private.
  const closed = Object.values(before.channels).flatMap(({ stream_id, invite_only }) =>
    invite_only || after.channels[stream_id]?.invite_only === true ? [stream_id] : [],
  );
  const gainedIn = (ids: readonly number[]): ReadonlySet<number> =>
    new Set(
      ids.flatMap((id) => ["read", "read_past", "reach"].flatMap((power) => [...(real.get(`+ ${power}|${id}`) ?? [])])),
    );
  const isNewcomer = (id: number): boolean => Object.values<number>(NEWCOMERS).includes(id);
  // Who is put into a group counts, also who could have joined it: as a reader, or while a channel is archived as somebody who may subscribe.
  const admitted = closed.flatMap((id) =>
    [...(after.channels[id]?.is_archived === true ? (real.get(`+ can_subscribe_group|${id}`) ?? []) : [])].filter(
      (person) => was.get(`read|${id}`)?.has(person) !== true,
    ),
  );
  const people = new Set([...gainedIn(closed), ...admitted].filter((id) => !isNewcomer(id)));
  const later = [...gainedIn(closed.filter(isRead))].filter((id) => isNewcomer(id) && isInvited(id));
  const { difference } = statesOf(plan.changes, new Realm(live));
  if (closed.length > 0) for (const id of difference.returning) people.add(id);
  const byLink = joiners.links.filter((link, index) =>
    opensMore(link, BY_LINK + index, run, [was, powers], index < joiners.open),
  );
  const lost = lostIn(run, real, powers);
  const found: string[] = [];
  const expectEqual = (guard: Counted, wanted: number, who: Iterable<unknown>): void => {
    if (counted(guard) !== wanted)
      found.push(`guard ${guard}: ${counted(guard)}, not ${wanted} (${[...who].join(",")})`);
  };
  if (new Realm(live).isAdmin) {
    expectEqual("people_gaining_access", people.size + byLink.length, people);
    expectEqual("people_losing_access", lost.size, lost);
    const named = namedIn(run);
    const unnamed = [...people].filter((id) => !named.has(id));
    if (unnamed.length > 0) found.push(`no risk names ${unnamed.join(",")}`);
  } else {
    const named = new Set(items(run, "people_gaining_access").flatMap((item) => [...(item.people ?? [])]));
    const unseen = [...people].filter((id) => !named.has(id));
    if (unseen.length > 0) found.push(`guard people_gaining_access does not count ${unseen.join(",")}`);
    if (byLink.length > 0 && !items(run, "people_gaining_access").some((item) => item.people === undefined))
      found.push("guard people_gaining_access does not count a link");
    if (lost.size > counted("people_losing_access"))
      found.push(`guard people_losing_access: not ${[...lost].join(",")}`);
  }
  const isGone = ({ user_id, is_active }: User): boolean => is_active && after.users[user_id]?.is_active === false;
  const gone = Object.values(before.users).filter(isGone);
  const removed = items(run, "removals").filter(({ object }) => isAccountAddress(object.address));
  if (removed.length !== gone.length) found.push(`guard removals: ${removed.length}, not ${gone.length} accounts`);
  for (const { user_id, email } of gone)
    if (run.kept.some((name) => email.startsWith(`${name}@`))) found.push(`${user_id} is gone, and in use in the file`);
  const openings = openingsIn(real, before, after);
  if (later.length > 0) openings.push("newcomers");
  if (closed.some((id) => isRead(id) && isFirstGuest(id, run, was, real, difference.returning)))
    openings.push("the first guests");
  // Everybody who has the link reads the channel.
  const isByLink = byLink.some(({ is_multiuse }) => is_multiuse);
  if (isByLink && (new Realm(live).isAdmin || counted("opened") > 0)) openings.push("links");
  if (openings.length > 0 !== counted("opened") > 0)
    found.push(`guard opened: ${counted("opened")}, and what opens: ${openings.join(",")}`);
  return found;
}

const items = ({ plan, live }: Run, name: Counted) =>
  countedIn({ plan, kinds }, new Realm(live)).items.filter(({ counted }) => counted === name);

/** Whether guests come to read a private channel that no guest reads, or come to be able to let themselves in with the key of a bot. */
function isFirstGuest(
  channel: number,
  { before, after }: Run,
  was: Powers,
  real: Shifts,
  returning: Pick<ReadonlySet<number>, "has">,
): boolean {
  const isGuest = (state: RealmState, id: number): boolean => state.users[id]?.role === 600;
  const gained = ["read", "read_past", "reach"].flatMap((power) => [...(real.get(`+ ${power}|${channel}`) ?? [])]);
  const readers = [...(was.get(`read|${channel}`) ?? [])];
  // Who returns is back in what no reading shows: that person is counted, and not what they come into.
  return gained.some((id) => isGuest(after, id) && !returning.has(id)) && !readers.some((id) => isGuest(before, id));
}

/** Whether a link opens a private channel that was there before: by its name, or in a way in which it is not open to everybody who joins with such a role. */
function opensMore(
  { invited_as, stream_ids }: Invite,
  id: number,
  { before, after }: Run,
  [was, powers]: readonly [Powers, Powers],
  isOpen: boolean,
): boolean {
  const others = invited_as === 600 ? [NEWCOMERS.guest] : [NEWCOMERS.member, NEWCOMERS.full_member];
  const higher = [...ROLE_OF_NEWCOMER].flatMap(([one, role]) => (role === invited_as ? [one] : []));
  const alike = invited_as < 400 ? higher : others;
  // What its role opens is said of everybody who joins with it.
  const like = isOpen ? [...others, ...alike] : others;
  const isMore = (power: string): boolean =>
    powers.get(power)?.has(id) === true && !like.some((other) => powers.get(power)?.has(other));
  return Object.values(after.channels).some((now) => {
    const { stream_id: channel, invite_only } = now;
    const then = before.channels[channel];
    // If the plan makes it private, whoever joins with the role may have read it before.
    const wasOpen = then?.invite_only === false && alike.some((one) => was.get(`read|${channel}`)?.has(one));
    const hadIt = ["read", "can_subscribe_group", "reach"].some((way) => was.get(`${way}|${channel}`)?.has(id));
    // What an open link leads to counts when it opens anew, also if whoever joined before it could have subscribed meanwhile (docs/policy.md).
    if (isOpen && then?.invite_only === true && hadIt && !opensAnew(then, now)) return false;
    const isOld = then !== undefined && invite_only && !wasOpen;
    const ways = [`can_subscribe_group|${channel}`, `reach|${channel}`];
    return isOld && (stream_ids.includes(channel) || ways.some(isMore));
  });
}

/** People who can neither read a channel nor let themselves in any more, and those who are no longer in a group that the plan changes. */
function lostIn({ plan, before, after }: Run, real: Shifts, powers: Powers): ReadonlySet<number> {
  const lost = new Set<number>();
  for (const id of Object.keys(before.channels))
    for (const person of real.get(`- read|${id}`) ?? [])
      if (powers.get(`can_subscribe_group|${id}`)?.has(person) !== true) lost.add(person);
  const isMember = (state: RealmState, group: number, user: User | undefined): boolean =>
    user?.is_active === true && isIn(state, group, user.user_id);
  for (const { kind, id } of plan.changes)
    for (const { user_id, is_bot } of Object.values(before.users))
      if (kind === "user_group" && id !== undefined && !is_bot && isMember(before, id, before.users[user_id]))
        if (!isMember(after, id, after.users[user_id])) lost.add(user_id);
  return new Set([...lost].filter((id) => before.users[id] !== undefined));
}

/** Nobody, administrators, moderators, members, everybody. */
const AUDIENCES = [4, 3, 5, 2, 1];

/** What else opens: a channel, who may see people and their addresses, who may create public channels, and how people join. */
function openingsIn(real: Shifts, before: RealmState, after: RealmState): string[] {
  const rank = ({ invite_only }: Channel): number => (invite_only ? 0 : 1);
  const found: string[] = [];
  for (const channel of Object.values(after.channels)) {
    const was = before.channels[channel.stream_id];
    const isOpened = was !== undefined && rank(channel) > rank(was);
    if (isOpened || real.has(`+ web|${channel.stream_id}`)) found.push(channel.name);
  }
  const [was, is] = [before.realm, after.realm];
  if (is.enable_spectator_access === true && was.enable_spectator_access === false) found.push("spectators");
  for (const name of ["can_access_all_users_group", "can_create_public_channel_group"])
    if (JSON.stringify(was[name]) !== JSON.stringify(is[name]) && real.has(`+ ${name}|organization`)) found.push(name);
  if (Number(is.waiting_period_threshold) < Number(was.waiting_period_threshold)) found.push("waiting period");
  if (is.invite_required === false && was.invite_required === true) found.push("invitations");
  const audience = ({ user_settings_defaults: defaults }: RealmState): number =>
    AUDIENCES.indexOf(Number(defaults.email_address_visibility));
  if (audience(after) > audience(before)) found.push("addresses");
  return found;
}
