import { expect, test } from "vitest";
import { personAnswer, restrictedTo, shiftsIn } from "../../src/access/answers.ts";
import { AccessDifference } from "../../src/access/difference.ts";
import { holdersOf, scopeOf, standingOf, type Target } from "../../src/access/grants.ts";
import { personaName, withPersonas } from "../../src/access/personas.ts";
import { READ, SEE } from "../../src/access/rules.ts";
import { isChannel } from "../../src/access/scope.ts";
import { type AccessState, objectAt, stateOf } from "../../src/access/state.ts";
import { RIGHTS, rightsCalled, wordOf } from "../../src/access/words.ts";
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  ORGANIZATION_PERMISSIONS,
} from "../../src/model/permission-settings.ts";
import { Realm } from "../../src/model/realm.ts";
import { ROLE_WORDS } from "../../src/model/roles.ts";
import { stateFromSnapshot } from "../../src/sandbox/from-snapshot.ts";
import { accessOfPlan } from "../../src/workflow/access.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { planAgainst } from "../support/world.ts";
import { mayOnChannel, mayThroughBots } from "./oracle.ts";
import { realms } from "./realms.ts";

const RUNS = { numRuns: Number(process.env.REALMCTL_RUNS ?? 5) };
const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

const targetsIn = (state: AccessState): readonly Target[] => [
  ...state.channels(),
  ...[...state.groups()].filter(({ name }) => !name.startsWith("role:")),
  "organization",
];

test("the sources of a right give it to exactly those who hold it; the answer for one person agrees with the answer for all", () => {
  fc.assert(
    fc.property(realms, (overlay) => {
      const snapshot = realmOf(overlay);
      const state = stateOf(new Realm(snapshot));
      const ids = snapshot.users.map(({ user_id }) => user_id);
      const restricted = new Map(ids.map((id) => [id, restrictedTo(state, id)]));
      for (const target of targetsIn(state))
        for (const right of rightsOn(state, target)) {
          const standing = standingOf(state, target, right);
          const given = new Set(standing?.grants.flatMap(({ people }) => [...people]));
          expect({ right, people: sorted(given) }).toEqual({ right, people: sorted(standing?.holders.people ?? []) });
          const alone = ids.filter((id) => {
            const own = restricted.get(id);
            const same =
              target === "organization"
                ? target
                : target.kind === "channel"
                  ? own?.channel(target.name)
                  : own?.group(target.name);
            return own !== undefined && same !== undefined && holdersOf(own, same, right)?.people.has(id) === true;
          });
          expect({ right, people: sorted(alone) }).toEqual({ right, people: sorted(standing?.holders.people ?? []) });
        }
    }),
    RUNS,
  );
});

test("a persona may do what the server allows an account of that role in those groups", () => {
  const personas = ROLE_WORDS.flatMap((role) => [
    { role, groups: [] },
    { role, groups: ["crew"] },
  ]);
  fc.assert(
    fc.property(realms, (overlay) => {
      const { snapshot, ids } = withPersonas(realmOf(overlay), personas);
      const state = stateOf(new Realm(snapshot));
      const server = stateFromSnapshot(snapshot);
      for (const [index, id] of ids.entries()) {
        const user = server.users[id];
        const persona = personas[index];
        if (user === undefined || persona === undefined) throw new RangeError("the persona has no account");
        for (const { right, may, mayNot } of personAnswer(state, id)) {
          if (right.scope !== "channel") continue;
          for (const channel of Object.values(server.channels)) {
            const isIn = (list: readonly Target[]): boolean =>
              list.some((target) => target !== "organization" && target.name === channel.name);
            const expected = mayOnChannel(server, user, channel, right.right);
            const found = { yes: isIn(may.map(({ target }) => target)), no: isIn(mayNot) };
            expect({ who: personaName(persona), right: right.word, ...found }).toEqual({
              who: personaName(persona),
              right: right.word,
              yes: expected,
              // What nobody uses is no object that somebody lacks a right on.
              no: !expected && !channel.is_archived,
            });
          }
        }
      }
    }),
    RUNS,
  );
});

test("who gains and who loses a right is the difference between what the server allows before and after", () => {
  fc.assert(
    fc.property(realms, realms, (first, second) => {
      const [before, after] = [first, second].map((overlay) => realmOf(overlay));
      if (before === undefined || after === undefined) throw new RangeError("two realms");
      const [was, is] = [stateFromSnapshot(before), stateFromSnapshot(after)];
      const shifts = shiftsIn(new AccessDifference(stateOf(new Realm(before)), stateOf(new Realm(after))));
      for (const channel of Object.values(is.channels)) {
        const old = was.channels[channel.stream_id];
        for (const { scope, right } of RIGHTS) {
          if (scope !== "channel" || right === "can_subscribe_group" || old === undefined) continue;
          const people = Object.values(is.users).filter(({ is_system_bot }) => !is_system_bot);
          const moved = people.map(({ user_id }) => {
            const [then, now] = [was.users[user_id], is.users[user_id]];
            if (then === undefined || now === undefined) throw new RangeError("the same people in both");
            return {
              user_id,
              had: mayThroughBots(was, then, old, right),
              has: mayThroughBots(is, now, channel, right),
            };
          });
          const shift = shifts.find(
            ({ target, right: own }) =>
              target !== "organization" &&
              target.kind === "channel" &&
              target.name === channel.name &&
              own.right === right &&
              own.scope === scope,
          );
          expect({
            right,
            gained: sorted(shift?.gained?.holders.people ?? []),
            lost: sorted(shift?.lost?.holders.people ?? []),
          }).toEqual({
            right,
            gained: sorted(moved.filter(({ had, has }) => has && !had).map(({ user_id }) => user_id)),
            lost: sorted(moved.filter(({ had, has }) => had && !has).map(({ user_id }) => user_id)),
          });
        }
      }
    }),
    RUNS,
  );
});

const nameOf = (target: Target): string => (target === "organization" ? target : `${target.kind}:${target.name}`);
const isAsleep = (target: Target): boolean =>
  target !== "organization" && target.kind === "user_group" && target.deactivated;

const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

/** Small changes of each kind that access can depend on, usually only one of them. */
const edits = fc.record({
  staff: rarely(fc.subarray(["elif@acme.example", "ivo@partner.example"])),
  inner: rarely(fc.constantFrom("staff", "crew")),
  read: rarely(fc.constantFrom("staff", "board", "role:moderators")),
  everywhere: rarely(fc.constantFrom("board", "role:members")),
  gone: rarely(fc.constant(true)),
  promoted: rarely(fc.constant(true)),
});

test("the comparison skips only what a plan leaves unchanged", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(realms, edits, async (overlay, { staff, inner, read, everywhere, gone, promoted }) => {
      const snapshot = realmOf(overlay);
      const lines = [
        "version: 1",
        ...(staff === null && inner === null ? [] : ["user_groups:"]),
        ...(staff === null ? [] : [`  staff: {members: ${JSON.stringify(staff)}}`]),
        ...(inner === null ? [] : [`  leads: {subgroups: [${inner}]}`]),
        ...(read === null ? [] : [`channels: {lobby: {permissions: {can_subscribe_group: ${read}}}}`]),
        ...(everywhere === null ? [] : [`settings: {permissions: {can_delete_any_message_group: ${everywhere}}}`]),
        "people:",
        ...(gone === true ? ["  dmitri@acme.example: {deactivated: true}"] : []),
        promoted === true ? "  farah@acme.example: {role: moderator}" : "  ben@acme.example: {}",
      ];
      const planned = await planAgainst(`${lines.join("\n")}\n`, snapshot);
      if (!planned.ok) return;
      const { before, after } = accessOfPlan(planned.value, snapshot);
      const received = shiftsIn(new AccessDifference(before.state, after.state));
      for (const target of targetsIn(after.state)) {
        const was = target === "organization" ? target : objectAt(before.state, `${target.kind}:${target.name}`);
        const scope = scopeOf(target);
        for (const { right } of RIGHTS.filter((each) => each.scope === scope && each.right !== "can_subscribe_group")) {
          const shift = received.find((each) => nameOf(each.target) === nameOf(target) && each.right.right === right);
          const had = was === undefined || isAsleep(was) ? [] : (holdersOf(before.state, was, right)?.people ?? []);
          const has = isAsleep(target) ? [] : (holdersOf(after.state, target, right)?.people ?? []);
          const [old, now] = [sorted(had), sorted(has)];
          const gained = now.filter((id) => !old.includes(id));
          const lost = old.filter((id) => !now.includes(id));
          if (gained.length + lost.length > 0) found += 1;
          expect([
            nameOf(target),
            right,
            ...[shift?.gained, shift?.lost].map((side) => sorted(side?.holders.people ?? [])),
          ]).toEqual([nameOf(target), right, gained, lost]);
        }
      }
    }),
    RUNS,
  );
  expect(found).toBeGreaterThan(20);
});

test("the defaults of a file without a server are those that the server documents", () => {
  const { permission_settings: stated, server: reading } = realmOf({});
  const named = (scope: "stream" | "group" | "realm") =>
    Object.fromEntries(
      Object.entries(stated?.[scope] ?? {}).map(([setting, { default_group_name }]) => [setting, default_group_name]),
    );
  const known = (settings: {
    readonly [setting: string]: { readonly server: { readonly standard: string; readonly level: number } };
  }) =>
    Object.fromEntries(
      Object.entries(settings).flatMap(
        ([
          setting,
          {
            server: { standard, level },
          },
        ]) => (level > reading.feature_level ? [] : [[setting, standard]]),
      ),
    );
  expect(known(CHANNEL_PERMISSIONS)).toEqual(named("stream"));
  expect(known(GROUP_PERMISSIONS)).toEqual(named("group"));
  expect(known(ORGANIZATION_PERMISSIONS)).toEqual(named("realm"));
});

test.each([
  ["post", "can_send_message_group"],
  ["Delete others' messages", "can_delete_any_message_group"],
  ["delete_any_message", "can_delete_any_message_group"],
  ["can_subscribe_group", "can_subscribe_group"],
  ["invite", "can_invite_users_group"],
])("%s is %s", (written, right) => expect(rightsCalled(written).map((each) => each.right)).toContain(right));

test("every right has its own name within its scope", () => {
  for (const { scope, right, word } of RIGHTS) {
    expect(wordOf(scope, right)).toBe(word);
    expect(rightsCalled(word).filter((each) => each.scope === scope)).toHaveLength(1);
  }
});

/** Every right on an object. */
function rightsOn(state: AccessState, target: Target): readonly string[] {
  if (target === "organization") return [...state.organization.keys()];
  const known = isChannel(target) ? Object.keys(CHANNEL_PERMISSIONS) : Object.keys(GROUP_PERMISSIONS);
  const settings = known.filter((setting) => target.settings.has(setting));
  return isChannel(target) ? [READ, SEE, ...settings] : settings;
}
