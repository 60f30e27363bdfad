import { expect, test } from "vitest";
import { type AccessPath, channelHolders, groupHolders, holdersOf, pathsTo } from "../../src/access/grants.ts";
import type { AccessGroup } from "../../src/access/nesting.ts";
import type { People } from "../../src/access/people.ts";
import { READ, SEE } from "../../src/access/rules.ts";
import { type AccessChannel, type AccessState, stateOf } from "../../src/access/state.ts";
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS } from "../../src/model/permission-settings.ts";
import { Realm } from "../../src/model/realm.ts";
import { stateFromSnapshot } from "../../src/sandbox/from-snapshot.ts";
import type { GroupSetting } from "../../src/sandbox/rows/groups.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { mayOnChannel, mayOnGroup } from "./oracle.ts";
import { realms } from "./realms.ts";

const RUNS = { numRuns: Number(process.env.REALMCTL_RUNS ?? 8) };
const CHANNEL_RIGHTS = [READ, SEE, ...Object.keys(CHANNEL_PERMISSIONS)];
/** Everybody in a snapshot: the server's own bots belong to nobody. */
const accountsOf = (server: RealmState) => Object.values(server.users).filter(({ is_system_bot }) => !is_system_bot);
const isGroupRight = (right: string): right is GroupSetting => right in GROUP_PERMISSIONS;
const GROUP_RIGHTS = Object.keys(GROUP_PERMISSIONS).filter(isGroupRight);
const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

function bothOf(overlay: Parameters<typeof realmOf>[0]): { readonly access: AccessState; readonly server: RealmState } {
  const snapshot = realmOf(overlay);
  return { access: stateOf(new Realm(snapshot)), server: stateFromSnapshot(snapshot) };
}

test("the holders of each right on a channel are those whom the server allows, checked one by one", () => {
  fc.assert(
    fc.property(realms, (overlay) => {
      const { access, server } = bothOf(overlay);
      for (const channel of Object.values(server.channels)) {
        const own = access.channel(channel.name);
        for (const right of CHANNEL_RIGHTS) {
          const holders = own === undefined ? undefined : channelHolders(access, own, right);
          const may = accountsOf(server).filter((user) => mayOnChannel(server, user, channel, right));
          expect({ right, people: sorted(holders?.people ?? []), bound: holders?.bound }).toEqual({
            right,
            people: sorted(may.map(({ user_id }) => user_id)),
            bound: undefined,
          });
        }
      }
    }),
    RUNS,
  );
});

test("the holders of each right on a group are those whom the server allows, checked one by one", () => {
  fc.assert(
    fc.property(realms, (overlay) => {
      const { access, server } = bothOf(overlay);
      for (const group of Object.values(server.user_groups)) {
        if (group.is_system_group) continue;
        const own = access.group(group.name);
        for (const right of GROUP_RIGHTS) {
          const holders = own === undefined ? undefined : groupHolders(access, own, right);
          const may = accountsOf(server).filter((user) => mayOnGroup(server, user, group, right));
          expect(sorted(holders?.people ?? [])).toEqual(sorted(may.map(({ user_id }) => user_id)));
        }
      }
    }),
    RUNS,
  );
});

test("everybody who holds a right has a path to it, nobody else has one, and each step of a path exists", () => {
  fc.assert(
    fc.property(realms, (overlay) => {
      const { access, server } = bothOf(overlay);
      const ids = accountsOf(server).map(({ user_id }) => user_id);
      const wrong: object[] = [];
      const check = (of: AccessChannel | AccessGroup, right: string, holders: People | undefined, waysOf: PathsOf) => {
        for (const id of ids) {
          const paths = waysOf(id);
          const holds = holders?.has(id) ?? false;
          if (paths.length > 0 !== holds || !paths.every((path) => exists(access, of, path, id)))
            wrong.push({ of: of.name, right, id, holds, paths });
        }
      };
      for (const channel of access.channels())
        for (const right of CHANNEL_RIGHTS)
          check(channel, right, holdersOf(access, channel, right)?.people, pathsTo(access, channel, right));
      for (const group of access.groups())
        for (const right of GROUP_RIGHTS)
          check(group, right, holdersOf(access, group, right)?.people, pathsTo(access, group, right));
      expect(wrong).toEqual([]);
    }),
    RUNS,
  );
});

type PathsOf = (id: number) => readonly AccessPath[];

/** The setting names the person or the first group; each other group is a subgroup of the one before, and the last one has the person as a member. */
function exists(access: AccessState, of: AccessChannel | AccessGroup, path: AccessPath, id: number): boolean {
  if (path.via !== "setting") return true;
  const { on, setting, groups } = path;
  const value = (on === "organization" ? access.organization : of.settings).get(setting) ?? "";
  const named = typeof value === "string" ? { groups: [value], users: [] } : value;
  const [first] = groups;
  if (first === undefined) return named.users.some((name) => access.facts.idOf(name) === id);
  return (
    named.groups.includes(first) &&
    groups.every((name, index) => {
      const [group, next] = [access.group(name), groups[index + 1]];
      return next === undefined ? group?.members.has(id) === true : group?.subgroups.includes(next) === true;
    })
  );
}

test("for a private channel whose subscribers were not read, the readers are a minimum and the rights a maximum", () => {
  const snapshot = realmOf({ channels: [{ name: "vault", invite_only: true, can_send_message_group: "staff" }] });
  const access = stateOf(new Realm(snapshot));
  const vault = access.channel("vault");
  if (vault === undefined) throw new Error("the case has no #vault");
  expect(channelHolders(access, vault, READ)).toMatchObject({ bound: "least" });
  expect(channelHolders(access, vault, "can_send_message_group")).toMatchObject({ bound: "most" });
  expect(channelHolders(access, vault, "can_administer_channel_group")?.bound).toBeUndefined();
});
